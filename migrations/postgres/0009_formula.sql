-- By which formula the ratings that count were made, all of them: rating.rs numbers them. 0 before they had numbers.
ALTER TABLE ladder ADD COLUMN formula bigint NOT NULL DEFAULT 0;
