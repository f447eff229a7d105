-- Adding a column without a default rewrites nothing. What was read before is history, which the platform is not told: the
-- cursor's column says so for every address there is, so that no row of a wallet changes.
ALTER TABLE "chain_coverage" ADD COLUMN "deposits_from" bigint;--> statement-breakpoint
ALTER TABLE "chain_cursors" ADD COLUMN "deposits_from" bigint;--> statement-breakpoint
UPDATE "chain_cursors" SET "deposits_from" = "done_block" + 1 WHERE "done_hash" <> '';
