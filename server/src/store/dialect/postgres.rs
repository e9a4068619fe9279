//! Many rows a statement on Postgres: they travel as one array a column.

use sqlx::PgConnection;
use uuid::Uuid;

use super::{Advance, Dialect, EventInsert};

const APPEND: &str = "WITH b AS ( \
       SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::bigint[], \
           $15::text[]) \
         b(room_id, epoch, first_seq, last_seq, state, listing, finished_at_ms, kicked)), \
     ok AS ( \
       UPDATE room r SET last_seq = b.last_seq, format = greatest(r.format, $8), \
         state = coalesce(b.state, r.state), listing = coalesce(b.listing, r.listing), \
         finished_at_ms = coalesce(b.finished_at_ms, r.finished_at_ms), kicked = coalesce(b.kicked, r.kicked) \
       FROM b WHERE r.room_id = b.room_id AND r.epoch = b.epoch AND r.last_seq = b.first_seq - 1 \
       RETURNING r.room_id), \
     ins AS ( \
       INSERT INTO room_event (room_id, seq, epoch, format, at_ms, body) \
       SELECT e.* FROM unnest($9::uuid[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::text[]) \
         e(room_id, seq, epoch, format, at_ms, body) JOIN ok ON ok.room_id = e.room_id) \
     SELECT room_id FROM ok";
const INSERT: &str = "INSERT INTO room_event (room_id, seq, epoch, format, at_ms, body) \
     SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])";

impl Dialect for PgConnection {
    async fn append(&mut self, rooms: &[Advance<'_>], events: &[EventInsert<'_>]) -> Result<Vec<Uuid>, sqlx::Error> {
        let columns = Columns::of(events);
        sqlx::query_scalar(APPEND)
            .bind(rooms.iter().map(|room| room.room_id).collect::<Vec<Uuid>>())
            .bind(rooms.iter().map(|room| room.epoch).collect::<Vec<i64>>())
            .bind(rooms.iter().map(|room| room.first_seq).collect::<Vec<i64>>())
            .bind(rooms.iter().map(|room| room.last_seq).collect::<Vec<i64>>())
            .bind(rooms.iter().map(|room| room.state).collect::<Vec<Option<&str>>>())
            .bind(rooms.iter().map(|room| room.listing).collect::<Vec<Option<&str>>>())
            .bind(rooms.iter().map(|room| room.finished_at_ms).collect::<Vec<Option<i64>>>())
            .bind(crate::store::EVENT_FORMAT)
            .bind(columns.room_id)
            .bind(columns.seq)
            .bind(columns.epoch)
            .bind(columns.format)
            .bind(columns.at_ms)
            .bind(columns.body)
            .bind(rooms.iter().map(|room| room.kicked).collect::<Vec<Option<&str>>>())
            .fetch_all(&mut *self)
            .await
    }

    async fn insert_events(&mut self, events: &[EventInsert<'_>]) -> Result<(), sqlx::Error> {
        let columns = Columns::of(events);
        sqlx::query(INSERT)
            .bind(columns.room_id)
            .bind(columns.seq)
            .bind(columns.epoch)
            .bind(columns.format)
            .bind(columns.at_ms)
            .bind(columns.body)
            .execute(&mut *self)
            .await?;
        Ok(())
    }
}

struct Columns<'a> {
    room_id: Vec<Uuid>,
    seq: Vec<i64>,
    epoch: Vec<i64>,
    format: Vec<i64>,
    at_ms: Vec<i64>,
    body: Vec<&'a str>,
}

impl<'a> Columns<'a> {
    fn of(events: &'a [EventInsert<'a>]) -> Columns<'a> {
        Columns {
            room_id: events.iter().map(|event| event.room_id).collect(),
            seq: events.iter().map(|event| event.seq).collect(),
            epoch: events.iter().map(|event| event.epoch).collect(),
            format: events.iter().map(|event| event.format).collect(),
            at_ms: events.iter().map(|event| event.at_ms).collect(),
            body: events.iter().map(|event| event.body).collect(),
        }
    }
}
