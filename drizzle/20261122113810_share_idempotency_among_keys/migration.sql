-- Idempotency keys and import batches belong to the platform, whichever of its keys sent them. Of two with one name the newer
-- stays.
DELETE FROM idempotent_calls AS older USING idempotent_calls AS newer
WHERE older.key = newer.key AND (older.created_at, older.actor) < (newer.created_at, newer.actor);--> statement-breakpoint
UPDATE idempotent_calls SET actor = 'platform';--> statement-breakpoint
DELETE FROM import_batches AS older USING import_batches AS newer
WHERE older.actor LIKE 'platform:%' AND newer.actor LIKE 'platform:%' AND older.key = newer.key
  AND (older.updated_at, older.actor) < (newer.updated_at, newer.actor);--> statement-breakpoint
UPDATE import_batches SET actor = 'platform' WHERE actor LIKE 'platform:%';
