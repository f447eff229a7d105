ALTER TABLE "documents" ADD COLUMN "picture_hash" bit(256);--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "hash_failed_at" timestamp(3) with time zone;--> statement-breakpoint
-- The first 64 bits of a picture's hash in four bands. Two hashes that differ there in three bits at most have a band in common.
CREATE FUNCTION picture_bands(hash bit(256)) RETURNS int[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY[substring(hash FROM 1 FOR 16)::int, 65536 + substring(hash FROM 17 FOR 16)::int,
  131072 + substring(hash FROM 33 FOR 16)::int, 196608 + substring(hash FROM 49 FOR 16)::int];
