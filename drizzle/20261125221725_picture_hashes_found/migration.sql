-- concurrently
CREATE INDEX CONCURRENTLY "documents_unhashed" ON "documents" ("created_at","key") WHERE picture_hash IS NULL AND hash_failed_at IS NULL;--> statement-breakpoint
-- Without a list of pending entries, which each search would read to its end.
CREATE INDEX CONCURRENTLY "documents_picture_bands" ON "documents" USING gin (picture_bands(picture_hash)) WITH (fastupdate = off);--> statement-breakpoint
CREATE INDEX CONCURRENTLY "kyc_step2_birth" ON "kyc_step2" ("date_of_birth","member_id");
