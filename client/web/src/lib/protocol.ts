// The protocol's types, generated from the Rust crate `sprint-shared`. Do not edit: run
// `UPDATE_TYPES=1 cargo test -p sprint-shared typescript`.

/**
 * What a leaderboard compares. Of races only rounds of quick match count, of people with people and of bots.
 */
export type Board = "rating" | "sprint" | "fastest" | "fewest" | "stage" | "daily";

/**
 * `GET /campaign`: the almanac of Campaign Master.
 */
export type Campaign = {
/**
 * All stages in order.
 */
stages: Array<StageInfo>, };

/**
 * What a client says. Unknown fields and types are refused.
 */
export type ClientMessage = { "type": "hello",
/**
 * The player's bearer token.
 */
token: string,
/**
 * To play or to watch.
 */
role: Role,
/**
 * The last `seq` seen of this room, to be sent only what came after.
 */
last_seq?: number, } | { "type": "ready",
/**
 * Ready or not.
 */
ready: boolean, } | { "type": "nonce",
/**
 * 32 hex digits.
 */
nonce: string, } | { "type": "lift",
/**
 * This seat's running number of acts.
 */
n: number,
/**
 * The number of accepted acts that the sender believes in; another number makes the act void.
 */
ply?: number,
/**
 * The peg, from 1.
 */
peg: number, } | { "type": "place",
/**
 * See `lift`.
 */
n: number,
/**
 * See `lift`.
 */
ply?: number,
/**
 * The peg, from 1.
 */
peg: number, } | { "type": "move",
/**
 * See `lift`.
 */
n: number,
/**
 * See `lift`.
 */
ply?: number,
/**
 * The source, from 1.
 */
from: number,
/**
 * The target, from 1.
 */
to: number, } | { "type": "undo",
/**
 * See `lift`.
 */
n: number,
/**
 * See `lift`.
 */
ply?: number, } | { "type": "reset",
/**
 * See `lift`.
 */
n: number,
/**
 * See `lift`.
 */
ply?: number, } | { "type": "give_up", } | { "type": "leave", } | { "type": "rematch", } | { "type": "start", } | { "type": "kick",
/**
 * The player's seat.
 */
seat: Seat,
/**
 * The player's id: if somebody else sits there by now, the request is refused.
 */
player?: string, } | { "type": "close", } | { "type": "hand_over",
/**
 * That player's seat.
 */
seat: Seat,
/**
 * See `kick`.
 */
player?: string, } | { "type": "emote",
/**
 * What.
 */
emote: Emote, };

/**
 * Why a room was closed.
 */
export type CloseReason = "empty" | "idle" | "damaged";

/**
 * What decides a round.
 */
export type Contest = "fastest" | "fewest";

/**
 * One racer's distance to harmony over time.
 */
export type CurveView = {
/**
 * The seat.
 */
seat: Seat,
/**
 * Where the race clock stood, in milliseconds from T0, and the distance from then on.
 */
points: [number, ToGo][], };

/**
 * `GET /daily`: the board of the day, and the promise of the next one.
 */
export type Daily = {
/**
 * Today.
 */
today: DailyPromise,
/**
 * Tomorrow: its seed is fixed already.
 */
tomorrow: DailyPromise,
/**
 * How the caller stands today; null without a token.
 */
own: OwnDaily | null, };

/**
 * What is published of a day before it is over.
 */
export type DailyPromise = {
/**
 * The UTC day, `YYYY-MM-DD`.
 */
day: string,
/**
 * The kind of board.
 */
preset: Preset,
/**
 * The hash of the seed and what it is for, 64 hex digits.
 */
commitment: string,
/**
 * When the server bound itself, in milliseconds since the Unix epoch.
 */
committed_at_ms: number,
/**
 * When the day is over.
 */
ends_at_ms: number, };

/**
 * What a rated try came to.
 */
export type DailyResult = {
/**
 * The round.
 */
round_id: string,
/**
 * Whether harmony was reached.
 */
finished: boolean,
/**
 * Official moves.
 */
moves: number,
/**
 * Placement errors.
 */
errors: number,
/**
 * The optimum of the board.
 */
optimum: number,
/**
 * 1 to 3; 0 without harmony.
 */
stars: number,
/**
 * Whether it was solved in the optimum.
 */
crown: boolean,
/**
 * Neither undo nor reset.
 */
flawless: boolean,
/**
 * The score.
 */
score: number,
/**
 * The official time in milliseconds; null without harmony.
 */
official_ms: number | null, };

/**
 * What players can show each other: a fixed set, so that nobody can be told anything that nobody wants to hear.
 */
export type Emote = "hello" | "good_luck" | "well_played" | "wow" | "oops" | "thinking" | "hurry" | "thanks";

/**
 * Why a round ended.
 */
export type Ended = "first_decided" | "nobody_at_work" | "time_up";

/**
 * The times of a finish, in milliseconds from T0.
 */
export type FinishTimes = {
/**
 * Receipt of the finishing act at the server.
 */
raw_ms: number,
/**
 * The lag credit.
 */
credit_ms: number,
/**
 * Raw time less credit: what ranks.
 */
official_ms: number, };

/**
 * What ends a step of a lesson.
 */
export type Goal = { "goal": "refused",
/**
 * Which.
 */
law: Law, } | { "goal": "emptied", } | { "goal": "settled",
/**
 * How many.
 */
disks: number, } | { "goal": "harmony",
/**
 * The most transfers of the attempt; any number will do if null.
 */
within: number | null, };

/**
 * A law of placing (RULES section 2).
 */
export type Law = "size" | "spectrum" | "capacity";

/**
 * Who leads from an instant on: whose distance is surely the least, of those who have not given up and whose board is
 * not lost. Whoever comes to harmony first leads from then on.
 */
export type Lead = {
/**
 * Where the race clock stood, in milliseconds from T0.
 */
clock_ms: number,
/**
 * The seat; `null` while it is shared or not known.
 */
seat: Seat | null, };

/**
 * `GET /leaderboards/{board}`: a page of a leaderboard. Who reached a value first stays first.
 */
export type Leaderboard = {
/**
 * What is compared.
 */
board: Board,
/**
 * The preset, or all.
 */
preset: Preset | null,
/**
 * Day, week or all time; days and weeks turn over at 00:00 UTC, weeks on Monday.
 */
period: Period,
/**
 * On `stage`: which one.
 */
stage: number | null,
/**
 * On `daily`: which one.
 */
day: string | null,
/**
 * Whose entries.
 */
list: List,
/**
 * The entries of this page, best first.
 */
entries: Array<LeaderboardEntry>,
/**
 * The key of the next page, if there is one: `?after=`.
 */
next: string | null, };

/**
 * One player on a leaderboard.
 */
export type LeaderboardEntry = {
/**
 * From 1.
 */
rank: number,
/**
 * The player's id.
 */
player_id: string,
/**
 * The player's name.
 */
name: string,
/**
 * Whether a program plays.
 */
bot: boolean,
/**
 * What the board compares: the rating, the sum of scores or the score, the official time in milliseconds, or moves
 * in millionths of the optimum.
 */
value: number,
/**
 * On a board of ratings: the standard deviation.
 */
uncertainty: number | null,
/**
 * Rounds that count on this board.
 */
rounds: number,
/**
 * Those of them that were won.
 */
wins: number,
/**
 * Official moves in the round that brought the entry there.
 */
moves: number | null,
/**
 * The optimum of its board.
 */
optimum: number | null,
/**
 * The official time in it, in milliseconds; null without a finish.
 */
official_ms: number | null,
/**
 * Placement errors in it: a finish with errors is marked.
 */
errors: number | null,
/**
 * Whether the server interrupted it.
 */
interrupted: boolean,
/**
 * That round's id.
 */
round_id: string, };

/**
 * One lesson of the tutorial.
 */
export type LessonInfo = {
/**
 * Its number, from 1.
 */
lesson: number,
/**
 * Its name.
 */
name: string,
/**
 * What it teaches, in one sentence.
 */
teaches: string,
/**
 * The board, in notation.
 */
board: string,
/**
 * The least number of transfers to harmony, proven.
 */
optimum: number,
/**
 * What is to be done, in order.
 */
steps: Array<StepInfo>, };

/**
 * A code that logs one other device in, once.
 */
export type Link = {
/**
 * Two groups of five letters and digits.
 */
code: string,
/**
 * How long it works, in seconds.
 */
expires_in_s: number,
/**
 * The QR code's rows, `1` for each dark module; the quiet zone of four modules around it is left out.
 */
qr: Array<string>, };

/**
 * `POST /players/link`: logs this device in by a code.
 */
export type LinkUse = {
/**
 * The code that another device shows, however it is typed.
 */
code: string, };

/**
 * Which list of a leaderboard.
 */
export type List = "people" | "bots" | "apart";

/**
 * An entry of `GET /live`: a room that can be watched, as those who watch know it.
 */
export type LiveMatch = {
/**
 * The code to watch by.
 */
code: string,
/**
 * The room's id.
 */
room_id: string,
/**
 * The room's options.
 */
options: RoomOptions,
/**
 * What the room is doing.
 */
phase: PhaseView,
/**
 * Who sits there.
 */
players: Array<LivePlayer>,
/**
 * How many watch who have no seat there.
 */
viewers: number,
/**
 * Where the race clock stands, in milliseconds from T0; absent outside a race.
 */
clock_ms?: number,
/**
 * Whether this is the one to show first.
 */
featured: boolean, };

/**
 * Somebody who sits in a room that can be watched.
 */
export type LivePlayer = {
/**
 * The player's name.
 */
name: string,
/**
 * Whether a program plays.
 */
bot: boolean,
/**
 * The player's rating, where there is one.
 */
rating?: number, };

/**
 * `POST /players/login`: logs this device in by name and password.
 */
export type Login = {
/**
 * The player's name.
 */
name: string,
/**
 * The password.
 */
password: string, };

/**
 * The word for a transfer that loses the board.
 */
export type Loses = "loses";

/**
 * The word for a board on which harmony can no longer be reached.
 */
export type Lost = "lost";

/**
 * A transfer that wasted something, or that lost the board.
 */
export type Mark = {
/**
 * The event's number in its room.
 */
seq: number,
/**
 * The seat.
 */
seat: Seat,
/**
 * Where the race clock stood, in milliseconds from T0.
 */
clock_ms: number,
/**
 * The transfer, `3-5`.
 */
transfer: string,
/**
 * What it cost.
 */
cost: MarkCost,
/**
 * Transfers that would have wasted nothing, by source and then by target; empty where that was not asked.
 */
better: Array<string>, };

/**
 * What a transfer cost: the transfers that it wasted, or `"loses"`.
 */
export type MarkCost = number | Loses;

/**
 * `GET /matches/{round_id}`: a round that is over, with everything needed to verify it.
 */
export type Match = {
/**
 * The format of this object: what [`replay::file`](crate::replay::file) brings up to date. Absent means 0.
 */
format: number,
/**
 * The round's id.
 */
round_id: string,
/**
 * The room that it was raced in.
 */
room_id: string,
/**
 * When it ended.
 */
finished_at_ms: number,
/**
 * The room's options.
 */
options: RoomOptions,
/**
 * The stored result.
 */
result: RoundResult,
/**
 * What was secret.
 */
reveal: Reveal,
/**
 * The round's own events as spectators saw them, for showing.
 */
events: Array<TimedEvent>,
/**
 * The round's stored events as they are: what [`replay`](crate::replay) proves the result from.
 */
record: unknown[], };

/**
 * `GET /matches`: a page of rounds that are over, newest first.
 */
export type MatchPage = {
/**
 * The rounds.
 */
rounds: Array<MatchSummary>,
/**
 * The key of the next page, if there is one: `?after=`.
 */
next?: string, };

/**
 * `GET /matches/{round_id}/ratings`: how a round moved ratings; empty if it moved none.
 */
export type MatchRatings = {
/**
 * The round's id.
 */
round_id: string,
/**
 * By seat, the ratings over all presets first.
 */
seats: Array<SeatRating>, };

/**
 * An entry of `GET /matches`: a round that is over.
 */
export type MatchSummary = {
/**
 * The round's id.
 */
round_id: string,
/**
 * When it ended.
 */
finished_at_ms: number,
/**
 * The kind of board that was dealt; `None` on a blueprint.
 */
preset: Preset | null,
/**
 * The stored result.
 */
result: RoundResult, };

/**
 * `POST /daily`: the room of the rated try, or of practice after it.
 */
export type NewDaily = {
/**
 * Practice: as often as wanted, once the rated try is over.
 */
practice: boolean, };

/**
 * `POST /players/me/link`: a code that logs another device in.
 */
export type NewLink = {
/**
 * The server's address, such as `https://spire.example`: the QR code leads there, or else to where the request came.
 */
base: string | null, };

/**
 * `PUT /players/me/password`: a password, or another one.
 */
export type NewPassword = {
/**
 * 8 to 128 bytes.
 */
password: string,
/**
 * The password so far, where there is one.
 */
old?: string, };

/**
 * `POST /players`: a guest, at once.
 */
export type NewPlayer = {
/**
 * The name; one is made up if left out.
 */
name: string | null,
/**
 * Whether a program plays.
 */
bot: boolean, };

/**
 * A new player with the token that proves it; the token is shown only here.
 */
export type NewPlayerCreated = {
/**
 * The player's id.
 */
player_id: string,
/**
 * The player's name.
 */
name: string,
/**
 * The bearer token, 64 hex digits.
 */
token: string, };

/**
 * `POST /practice`: a room with bots, for the caller.
 */
export type NewPractice = {
/**
 * The kind of board.
 */
preset: Preset,
/**
 * How strong the bots are, 1 to 10 each: one to three of them, no two alike.
 */
strengths: Array<Strength>, };

/**
 * `POST /shuffle`: the next board of Infinite Shuffle.
 */
export type NewShuffle = {
/**
 * The kind of board; null follows the player: harder after a board that was restored, easier after one that was left.
 */
preset: Preset | null,
/**
 * The seed, 64 hex digits or a decimal number below 2^64; null draws one.
 */
seed: string | null,
/**
 * Whether the last board was restored by being shown the way: then it says nothing of the player.
 */
helped: boolean, };

/**
 * What racers see of each other.
 */
export type Opponents = "boards" | "progress";

/**
 * How a player stands on the day.
 */
export type OwnDaily = {
/**
 * The room of the one rated try while it is open; null before and after it.
 */
code: string | null,
/**
 * What the rated try came to; null until it is over.
 */
result: DailyResult | null,
/**
 * Days in a row on which the Daily Spire was restored, today or yesterday the last of them.
 */
streak: number,
/**
 * The longest of such rows.
 */
streak_longest: number, };

/**
 * The time that transfers took, each from the one before it or from T0, in milliseconds.
 */
export type Pace = {
/**
 * The first one.
 */
first_ms: number,
/**
 * The one in the middle; of two, the shorter.
 */
median_ms: number,
/**
 * The longest one.
 */
longest_ms: number, };

/**
 * `GET /daily/{day}`: a day that is over, with everything needed to deal its board again.
 */
export type PastDaily = {
/**
 * What was published before.
 */
promise: DailyPromise,
/**
 * The version of the deal.
 */
deal_version: number,
/**
 * What was secret, 64 hex digits.
 */
server_seed: string,
/**
 * How many boards of the seed were shown before in a race.
 */
redeals: number,
/**
 * The board, in notation.
 */
board: string,
/**
 * Its optimum, proven.
 */
optimum: number,
/**
 * Its par.
 */
par: number, };

/**
 * A stretch of time that a leaderboard counts.
 */
export type Period = "day" | "week" | "all";

/**
 * What a room is doing.
 */
export type PhaseView = "lobby" | "dealing" | "countdown" | "racing" | "paused" | "break" | "over" | "closed";

/**
 * `GET /leaderboards/{board}/me`: one's own place, and who stands around it.
 */
export type Place = {
/**
 * What is compared.
 */
board: Board,
/**
 * The preset, or all.
 */
preset: Preset | null,
/**
 * Day, week or all time.
 */
period: Period,
/**
 * On `stage`: which one.
 */
stage: number | null,
/**
 * On `daily`: which one.
 */
day: string | null,
/**
 * Whose entries.
 */
list: List,
/**
 * The own rank, from 1; null without an entry.
 */
rank: number | null,
/**
 * The own entry between its neighbours, best first; empty without an entry.
 */
entries: Array<LeaderboardEntry>, };

/**
 * What an illegal placement costs.
 */
export type Placement = "strict" | "guarded";

/**
 * One racer's play as a viewer may know it.
 */
export type PlayView = {
/**
 * The seat.
 */
seat: Seat,
/**
 * The board as it stands, in notation; a held disk is still on its source. Absent where it is hidden.
 */
board: string | null,
/**
 * The source of the held disk.
 */
held: number | null,
/**
 * Accepted acts; absent where the board is hidden.
 */
ply: number | null,
/**
 * Transfers of this attempt that can be undone; absent where the board is hidden.
 */
transfers: number | null,
/**
 * The official counter.
 */
moves: number,
/**
 * Placement errors.
 */
errors: number,
/**
 * Settled disks.
 */
settled: number,
/**
 * No undo and no reset so far.
 */
flawless: boolean,
/**
 * The finish.
 */
finish: FinishTimes | null,
/**
 * Gave up or left.
 */
gave_up: boolean, };

/**
 * `GET /players/me`: a player as it sees itself.
 */
export type Player = {
/**
 * The player's id.
 */
player_id: string,
/**
 * The player's name.
 */
name: string,
/**
 * Whether a program plays.
 */
bot: boolean,
/**
 * The rating over all presets.
 */
rating: ShownRating, };

/**
 * How many wait for one kind of race.
 */
export type PoolInfo = {
/**
 * Seats of the race, 2 to 4.
 */
seats: number,
/**
 * The kind of board.
 */
preset: Preset,
/**
 * Whether programs race here.
 */
bots: boolean,
/**
 * How many wait.
 */
waiting: number, };

/**
 * A named kind of dealt board. All have capacity 7.
 */
export type Preset = "initiate" | "apprentice" | "standard" | "expert" | "master" | "grandmaster" | "spire" | "marathon";

/**
 * An entry of `GET /presets`.
 */
export type PresetInfo = {
/**
 * The name.
 */
preset: Preset,
/**
 * Active spectra.
 */
spectra: number,
/**
 * Disks of each spectrum.
 */
sizes: number,
/**
 * Pegs.
 */
pegs: number,
/**
 * Free pegs at the start.
 */
free: number,
/**
 * The least optimum that is dealt.
 */
optimum_min: number,
/**
 * The greatest optimum that is dealt.
 */
optimum_max: number,
/**
 * The default timer in seconds.
 */
time_limit_s: number, };

/**
 * An error, as `application/problem+json` (RFC 9457).
 */
export type Problem = {
/**
 * The HTTP status.
 */
status: number,
/**
 * A stable code.
 */
code: string,
/**
 * What is wrong, in a few words.
 */
title: string,
/**
 * What was wrong here, and what would be right.
 */
detail: string, };

/**
 * `GET /players/{player_id}`: a player as everybody sees it.
 */
export type Profile = {
/**
 * The player's id.
 */
player_id: string,
/**
 * The player's name.
 */
name: string,
/**
 * Whether a program plays.
 */
bot: boolean,
/**
 * The rating over all presets first, then those of the presets that the player has raced on.
 */
ratings: Array<ShownRating>, };

/**
 * `GET /players/me/solo`: how far a player has come alone.
 */
export type Progress = {
/**
 * The stages that were tried, in order.
 */
stages: Array<StageRecord>,
/**
 * The last stage that is open: each opens when the one before it is solved.
 */
open: number,
/**
 * The lessons that were solved, in order.
 */
lessons: Array<number>,
/**
 * Days in a row on which the Daily Spire was restored, today or yesterday the last of them.
 */
streak: number,
/**
 * The longest of such rows.
 */
streak_longest: number, };

/**
 * What somebody says who wants a race. Unknown fields and types are refused.
 */
export type QueueClientMessage = { "type": "join",
/**
 * The player's bearer token; needed the first time.
 */
token?: string,
/**
 * Seats of the race, 2 to 4.
 */
seats: number,
/**
 * The kind of board.
 */
preset: Preset, } | { "type": "accept", } | { "type": "leave", };

/**
 * `GET /queue`: how many wait for a quick match, by kind of race. Kinds for which nobody waits are left out.
 */
export type QueueInfo = {
/**
 * The kinds of race.
 */
pools: Array<PoolInfo>, };

/**
 * What the queue says. Clients ignore fields and types that they do not know.
 */
export type QueueServerMessage = { "type": "waiting",
/**
 * Seats of the race.
 */
seats: number,
/**
 * The kind of board.
 */
preset: Preset,
/**
 * How many wait for such a race, you among them.
 */
waiting: number,
/**
 * How long you have waited, in milliseconds.
 */
since_ms: number,
/**
 * How far opponents' ratings may be from each other by now; absent once any will do.
 */
window?: number, } | { "type": "offer",
/**
 * How strong it is, 1 to 10.
 */
strength: Strength,
/**
 * Its name.
 */
name: string,
/**
 * Its rating among bots.
 */
rating: number, } | { "type": "matched",
/**
 * The room's code.
 */
code: string,
/**
 * Whether you race bots.
 */
bots: boolean, } | { "type": "back", } | { "type": "replaced", } | { "type": "refused",
/**
 * A stable code.
 */
code: string,
/**
 * What was wrong, and what would be right.
 */
message: string, } | { "type": "error",
/**
 * A stable code.
 */
code: string,
/**
 * What was wrong, and what would be right.
 */
message: string, };

/**
 * `PATCH /players/me`: another name.
 */
export type Rename = {
/**
 * The new name.
 */
name: string, };

/**
 * What was secret in a round, so that anyone can deal its board again.
 */
export type Reveal = {
/**
 * The version of the deal.
 */
deal_version: number,
/**
 * The preset's name, or `blueprint` and the board.
 */
source: string,
/**
 * The commitment that was published.
 */
commitment: string,
/**
 * The server's secret, 64 hex digits.
 */
server_seed: string,
/**
 * The nonces by seat, 32 hex digits each.
 */
nonces: Array<string | null>,
/**
 * How often the seed was replaced by its SHA-256, because its board was dealt before.
 */
redeals: number,
/**
 * The board's seed after that, 64 hex digits; absent if the round ended before it was fixed.
 */
seed: string | null,
/**
 * The board.
 */
board: string | null,
/**
 * The hash over everything that happened in the round, 64 hex digits; absent in rounds from before there was one.
 */
chain?: string, };

/**
 * `GET /matches/{round_id}/review`: a round's analysis. It follows from the round's events alone.
 */
export type Review = {
/**
 * The format: 1.
 */
format: number,
/**
 * Whether every distance is exact; otherwise the effort ended first, and some are bounds.
 */
complete: boolean,
/**
 * The proven least number of transfers, where it is proven.
 */
optimum: number | null,
/**
 * Each racer's distance to harmony over time.
 */
curves: Array<CurveView>,
/**
 * Each racer's figures.
 */
seats: Array<SeatReview>,
/**
 * Transfers that wasted something or lost the board, in order.
 */
marks: Array<Mark>,
/**
 * Where the lead changed, in order.
 */
leads: Array<Lead>, };

/**
 * To play or to watch.
 */
export type Role = "player" | "spectator";

/**
 * `GET /rooms/{code}`, and an entry of `GET /rooms`; also the answer to `POST /rooms`, whose body is [`RoomOptions`].
 */
export type RoomInfo = {
/**
 * The room's id.
 */
room_id: string,
/**
 * The code that people type.
 */
code: string,
/**
 * The room's options.
 */
options: RoomOptions,
/**
 * What the room is doing.
 */
phase: PhaseView,
/**
 * The names of those seated.
 */
players: Array<string>,
/**
 * Whether somebody can still sit down.
 */
joinable: boolean, };

/**
 * A room's options. Fields left out take their defaults; [`RoomOptions::checked`] makes them consistent.
 */
export type RoomOptions = {
/**
 * Seats, 2 to 4.
 */
seats: number,
/**
 * The kind of board that is dealt; without meaning where a blueprint is given.
 */
preset: Preset,
/**
 * A fixed board in notation instead of a dealt one. Everybody may know it beforehand.
 */
blueprint: string | null,
/**
 * The timer of a round in seconds, 30 to 1800; the preset's own if left out, 300 for a blueprint.
 */
time_limit_s: number | null,
/**
 * Best of 1, 3 or 5 rounds.
 */
rounds: number,
/**
 * What decides a round.
 */
contest: Contest,
/**
 * What an illegal placement costs.
 */
placement: Placement,
/**
 * Whether rounds count for ratings: always strict, opponents as progress, spectators delayed.
 */
rated: boolean,
/**
 * Whether the room is listed for everybody.
 */
public: boolean,
/**
 * What racers see of each other.
 */
opponents: Opponents,
/**
 * Whether people may watch.
 */
spectators: boolean,
/**
 * How far behind spectators are, in seconds, 0 to 60; at least 15 in a rated room.
 */
spectator_delay_s: number,
/**
 * What one player plays alone here. The server opens such rooms when it is asked for the mode.
 */
solo?: Solo, };

/**
 * The result of a round. Everything in it follows from the round's events.
 */
export type RoundResult = {
/**
 * The round's number in its room, from 1.
 */
round: number,
/**
 * The round's id: the match to look up.
 */
round_id: string,
/**
 * Why the round ended.
 */
ended: Ended,
/**
 * Whether the server interrupted it: then it stays out of the fastest lists.
 */
interrupted: boolean,
/**
 * The proven least number of transfers, where it is proven.
 */
optimum: number | null,
/**
 * Par, where the optimum is proven.
 */
par: number | null,
/**
 * One entry a racer, by rank and then by seat.
 */
seats: Array<SeatResult>, };

/**
 * A round as one viewer may know it.
 */
export type RoundView = {
/**
 * The round's number in its room, from 1.
 */
round: number,
/**
 * The round's id.
 */
round_id: string,
/**
 * The published commitment, 64 hex digits.
 */
commitment: string,
/**
 * From now until the boards are shown, in milliseconds; 0 once they are, absent while that is not known.
 */
in_ms: number | null,
/**
 * Race time from T0 in milliseconds; absent before.
 */
clock_ms: number | null,
/**
 * The timer in milliseconds.
 */
limit_ms: number,
/**
 * The viewer's own lag credit in milliseconds.
 */
credit_ms: number | null,
/**
 * The board of every seat at the start, once it is shown.
 */
board: string | null,
/**
 * The proven least number of transfers, once the board is shown.
 */
optimum: number | null,
/**
 * Par, once the board is shown.
 */
par: number | null,
/**
 * Whether the server interrupted the round.
 */
interrupted: boolean,
/**
 * One entry a racer.
 */
plays: Array<PlayView>,
/**
 * The result, once the round is over.
 */
result: RoundResult | null,
/**
 * What was secret, once the round is over.
 */
reveal: Reveal | null,
/**
 * Each racer's distance to harmony over time, for those who watch; absent where it is not reckoned.
 */
curves?: Array<CurveView>, };

/**
 * A place at the table, 0..=3 inside and 1..=4 wherever a person or the wire sees it.
 */
export type Seat = number;

/**
 * How a rating moved in a round.
 */
export type SeatRating = {
/**
 * The seat's number.
 */
seat: number,
/**
 * Who sat there.
 */
player_id: string,
/**
 * The preset; all of them together if null.
 */
preset: Preset | null,
/**
 * The rating before.
 */
rating_before: number,
/**
 * Its standard deviation.
 */
uncertainty_before: number,
/**
 * The rating after.
 */
rating_after: number,
/**
 * Its standard deviation.
 */
uncertainty_after: number, };

/**
 * One racer's result.
 */
export type SeatResult = {
/**
 * The seat.
 */
seat: Seat,
/**
 * The player's id.
 */
player: string,
/**
 * The player's name in that round.
 */
name: string,
/**
 * Whether a program played.
 */
bot: boolean,
/**
 * 1 for the winner; equal keys share a rank.
 */
rank: number,
/**
 * The times of a finish.
 */
finish: FinishTimes | null,
/**
 * Gave up or left.
 */
gave_up: boolean,
/**
 * Not connected when the round ended, and not finished.
 */
absent: boolean,
/**
 * Settled disks.
 */
settled: number,
/**
 * The official counter: transfers and penalty moves.
 */
moves: number,
/**
 * Placement errors.
 */
errors: number,
/**
 * No undo and no reset.
 */
flawless: boolean,
/**
 * The score: 0 without harmony.
 */
score: number,
/**
 * Stars, 1 to 3, for a finish on a board of proven optimum.
 */
stars: number,
/**
 * Finished in exactly the optimum.
 */
crown: boolean, };

/**
 * One racer's figures.
 */
export type SeatReview = {
/**
 * The seat.
 */
seat: Seat,
/**
 * Transfers made, undone ones and those of earlier attempts included.
 */
transfers: number,
/**
 * Of those, the ones that were the start of a shortest way.
 */
optimal: number,
/**
 * Of those, the ones that were not, such as all on a lost board; where bounds leave it open, a transfer is neither.
 */
wasteful: number,
/**
 * What the transfers of the last attempt wasted in all, in transfers: without those taken back, up to the one that
 * lost the board, as far as it is known.
 */
wasted: number,
/**
 * Transfers taken back.
 */
undone: number,
/**
 * New attempts begun.
 */
resets: number,
/**
 * Placement errors.
 */
errors: number,
/**
 * Penalty moves.
 */
penalty_moves: number,
/**
 * Since when the board of the last attempt was lost, in milliseconds from T0; absent if it was not.
 */
lost_since_ms?: number,
/**
 * The time that transfers took; absent if there was none.
 */
pace?: Pace, };

/**
 * A taken seat.
 */
export type SeatView = {
/**
 * The seat.
 */
seat: Seat,
/**
 * The player's id.
 */
player: string,
/**
 * The player's name.
 */
name: string,
/**
 * Whether a program plays.
 */
bot: boolean,
/**
 * Whether the player is connected.
 */
present: boolean,
/**
 * Ready, or for a rematch.
 */
ready: boolean,
/**
 * Left the room during the series.
 */
left: boolean,
/**
 * Rounds of this series taken.
 */
taken: number, };

/**
 * One player's rank in a series.
 */
export type SeriesRank = {
/**
 * The seat.
 */
seat: Seat,
/**
 * The player's id.
 */
player: string,
/**
 * The player's name.
 */
name: string,
/**
 * 1 for the Master Technomancer; equal keys share a rank.
 */
rank: number,
/**
 * Rounds taken as sole first.
 */
taken: number,
/**
 * Sum of the ranks of all rounds.
 */
ranks: number,
/**
 * Sum of official times in milliseconds; a round without a finish counts its whole time limit.
 */
official_ms: number, };

/**
 * What the server says. Clients ignore fields and types that they do not know.
 */
export type ServerMessage = { "type": "welcome",
/**
 * The room's last event.
 */
seq: number,
/**
 * The seat, for a player.
 */
seat: Seat | null,
/**
 * The last act judged of this seat: the next is `n + 1`.
 */
n: number,
/**
 * Everything this viewer may know. Absent if only the events after `last_seq` follow.
 */
state: View | null, } | { "type": "snapshot",
/**
 * The room's last event.
 */
seq: number,
/**
 * Everything this viewer may know.
 */
state: View, } | { "type": "start",
/**
 * The room's last event.
 */
seq: number,
/**
 * Everything this viewer may know.
 */
state: View, } | { "type": "refused",
/**
 * The act's running number, for an act.
 */
n?: number,
/**
 * The next running number that will be judged, where `n` was not used up.
 */
next?: number,
/**
 * A stable code.
 */
code: string,
/**
 * What was wrong, and what would be right.
 */
message: string, } | { "type": "replaced", } | { "type": "emote",
/**
 * Who.
 */
seat: Seat,
/**
 * What.
 */
emote: Emote, } | { "type": "distance",
/**
 * Whose board.
 */
seat: Seat,
/**
 * Where the race clock stood, in milliseconds from T0.
 */
clock_ms: number,
/**
 * The distance.
 */
to_go: ToGo, } | { "type": "watching",
/**
 * Those who have no seat there; whoever is told this included, where that is so.
 */
viewers: number, } | { "type": "error",
/**
 * A stable code.
 */
code: string,
/**
 * What was wrong, and what would be right.
 */
message: string, } | WireEvent;

/**
 * A rating: an estimate of skill from rounds of quick match. Somebody new has 1500 ± 500.
 */
export type ShownRating = {
/**
 * The preset; all of them together if null.
 */
preset: Preset | null,
/**
 * The rating.
 */
rating: number,
/**
 * Its standard deviation.
 */
uncertainty: number,
/**
 * Whether too little is known for a place on the board.
 */
provisional: boolean,
/**
 * Rounds counted.
 */
rounds: number, };

/**
 * What is played alone.
 */
export type Solo = { "mode": "stage",
/**
 * Its number in the almanac, 1 to 50.
 */
stage: number, } | { "mode": "lesson",
/**
 * Its number, from 1.
 */
lesson: number, } | { "mode": "shuffle",
/**
 * 64 hex digits.
 */
seed: string, } | { "mode": "daily",
/**
 * The UTC day, `YYYY-MM-DD`.
 */
day: string,
/**
 * What the server published the day before: see [`daily::commitment`](crate::daily::commitment).
 */
commitment: string,
/**
 * Whether it is practice after the one rated try.
 */
practice: boolean, };

/**
 * One stage of the almanac.
 */
export type StageInfo = {
/**
 * Its number, 1 to 50.
 */
stage: number,
/**
 * Its name.
 */
name: string,
/**
 * The name of its chapter.
 */
chapter: string,
/**
 * What it teaches or tests, in one sentence.
 */
idea: string,
/**
 * The board, in notation.
 */
board: string,
/**
 * The least number of transfers to harmony, proven.
 */
optimum: number,
/**
 * Par.
 */
par: number,
/**
 * The difficulty: roughly the seconds of a casual player.
 */
difficulty_s: number,
/**
 * Active spectra.
 */
spectra: number,
/**
 * Disks of each spectrum; of unequal ones, the most.
 */
sizes: number,
/**
 * Pegs.
 */
pegs: number,
/**
 * Pegs without a disk at the start.
 */
free: number,
/**
 * Places that collars take off at the start.
 */
collars: number,
/**
 * Seals.
 */
seals: number,
/**
 * Spectra with a home.
 */
homes: number, };

/**
 * A player's record on a stage. Each figure is the best one; they need not be of one session.
 */
export type StageRecord = {
/**
 * The stage's number.
 */
stage: number,
/**
 * Sessions that ended, solved or not.
 */
tries: number,
/**
 * Those of them that were solved.
 */
solved: number,
/**
 * Most stars, 1 to 3; 0 if it was never solved.
 */
stars: number,
/**
 * Whether it was solved in the optimum.
 */
crown: boolean,
/**
 * The highest score.
 */
score: number,
/**
 * The fewest moves of a solve; null without one.
 */
moves: number | null,
/**
 * The shortest official time of a solve, in milliseconds.
 */
official_ms: number | null,
/**
 * The round with the highest score, to be seen again.
 */
round_id: string | null, };

/**
 * One step of a lesson.
 */
export type StepInfo = {
/**
 * What the player is told.
 */
say: string,
/**
 * What ends it.
 */
goal: Goal, };

/**
 * How strong a bot is: 1 is careless and slow, 10 plays the proven line without a slip.
 */
export type Strength = number;

/**
 * An event of a round with its place on the race clock.
 */
export type TimedEvent = {
/**
 * Milliseconds from T0 on the race clock; negative before.
 */
clock_ms: number,
/**
 * The event.
 */
event: WireEvent, };

/**
 * How many transfers a board is from harmony: a number, two bounds of which the second may be unknown, or `"lost"`.
 */
export type ToGo = number | [number, number | null] | Lost;

/**
 * `GET /tutorial`: its lessons.
 */
export type Tutorial = {
/**
 * All lessons in order.
 */
lessons: Array<LessonInfo>, };

/**
 * A room as one viewer may know it.
 */
export type View = {
/**
 * The code that people type.
 */
code: string,
/**
 * The room's options.
 */
options: RoomOptions,
/**
 * What the room is doing.
 */
phase: PhaseView,
/**
 * The host's seat.
 */
host: Seat | null,
/**
 * The taken seats.
 */
seats: Array<SeatView>,
/**
 * The round at work or the last one.
 */
round: RoundView | null,
/**
 * The ranking of the last series, once it is over.
 */
ranking: Array<SeriesRank> | null, };

/**
 * `GET /rooms/{code}/way`: a way to harmony from where the caller's board stands, the shortest that was found.
 */
export type Way = {
/**
 * The accepted acts behind the position that it begins at: the way is stale once the seat has another `ply`.
 */
ply: number,
/**
 * Transfers such as `1-3`, first to last; null where harmony can no longer be reached: undo, or reset.
 */
transfers: Array<string> | null, };

/**
 * An event as a viewer sees it. Every event of the room arrives with its `seq`, by ones.
 */
export type WireEvent = {
/**
 * The event's number in its room, from 1.
 */
seq: number, } & ({ "type": "hidden", } | { "type": "seat_taken",
/**
 * The seat.
 */
seat: Seat,
/**
 * The player's id.
 */
player: string,
/**
 * The player's name.
 */
name: string,
/**
 * Whether a program plays.
 */
bot: boolean, } | { "type": "left",
/**
 * The seat.
 */
seat: Seat, } | { "type": "host_changed",
/**
 * The host's seat.
 */
seat: Seat, } | { "type": "connected",
/**
 * The seat.
 */
seat: Seat, } | { "type": "disconnected",
/**
 * The seat.
 */
seat: Seat, } | { "type": "readied",
/**
 * The seat.
 */
seat: Seat,
/**
 * Ready or not.
 */
ready: boolean, } | { "type": "committed",
/**
 * The round's number.
 */
round: number,
/**
 * The round's id.
 */
round_id: string,
/**
 * Whether it opens a new series.
 */
opens_series: boolean,
/**
 * SHA-256 over the deal's inputs, the server's secret seed among them.
 */
commitment: string, } | { "type": "nonce_given",
/**
 * The seat.
 */
seat: Seat, } | { "type": "dealing", } | { "type": "round_dropped",
/**
 * What the room is doing now.
 */
phase: PhaseView, } | { "type": "countdown_started",
/**
 * From now to T0, in milliseconds.
 */
in_ms: number,
/**
 * The viewer's own lag credit in milliseconds, for a racer.
 */
credit_ms: number | null, } | { "type": "lifted",
/**
 * The seat.
 */
seat: Seat,
/**
 * The act's running number.
 */
n: number,
/**
 * Its source.
 */
peg: number, } | { "type": "transferred",
/**
 * The seat.
 */
seat: Seat,
/**
 * The act's running number.
 */
n: number,
/**
 * The source.
 */
from: number,
/**
 * The target.
 */
to: number,
/**
 * The official counter.
 */
moves: number, } | { "type": "erred",
/**
 * The seat.
 */
seat: Seat,
/**
 * The act's running number.
 */
n: number,
/**
 * The source.
 */
from: number,
/**
 * The target that would not take it.
 */
to: number,
/**
 * Placement errors of the round.
 */
errors: number,
/**
 * Why the target would not take it.
 */
message: string, } | { "type": "returned",
/**
 * The seat.
 */
seat: Seat,
/**
 * The act's running number.
 */
n: number,
/**
 * The source.
 */
from: number,
/**
 * The target that would not take it.
 */
to: number,
/**
 * Why the target would not take it.
 */
message: string, } | { "type": "put_back",
/**
 * The seat.
 */
seat: Seat,
/**
 * The act's running number.
 */
n: number,
/**
 * Its source.
 */
peg: number, } | { "type": "two_handed",
/**
 * The seat.
 */
seat: Seat,
/**
 * The act's running number.
 */
n: number,
/**
 * The official counter.
 */
moves: number, } | { "type": "undone",
/**
 * The seat.
 */
seat: Seat,
/**
 * The act's running number.
 */
n: number,
/**
 * The transfer's source, where the disk is again.
 */
from: number,
/**
 * The transfer's target.
 */
to: number,
/**
 * The official counter.
 */
moves: number, } | { "type": "reset",
/**
 * The seat.
 */
seat: Seat,
/**
 * The act's running number.
 */
n: number,
/**
 * The official counter.
 */
moves: number, } | { "type": "progress",
/**
 * The seat.
 */
seat: Seat,
/**
 * Settled disks.
 */
settled: number,
/**
 * The official counter.
 */
moves: number,
/**
 * Placement errors.
 */
errors: number, } | { "type": "finished",
/**
 * The seat.
 */
seat: Seat,
/**
 * Its times.
 */
finish: FinishTimes, } | { "type": "gave_up",
/**
 * The seat.
 */
seat: Seat, } | { "type": "first_decided", } | { "type": "round_over",
/**
 * The result.
 */
result: RoundResult,
/**
 * What was secret: anyone can deal the board again.
 */
reveal: Reveal, } | { "type": "series_over",
/**
 * Everybody's rank.
 */
ranking: Array<SeriesRank>, } | { "type": "interrupted", } | { "type": "paused", } | { "type": "resumed",
/**
 * From now until the clocks run, in milliseconds.
 */
in_ms: number,
/**
 * Added to all clocks alike, in milliseconds.
 */
outage_ms: number, } | { "type": "closed",
/**
 * Why.
 */
reason: CloseReason, });
