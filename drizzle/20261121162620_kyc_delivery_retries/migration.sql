ALTER TABLE "kyc_deliveries" ADD COLUMN "retries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
DROP INDEX "kyc_deliveries_unreached";--> statement-breakpoint
CREATE INDEX "kyc_deliveries_unreached" ON "kyc_deliveries" ("last_failed_at","id") WHERE state <> 'delivered' AND last_failed_at IS NOT NULL;--> statement-breakpoint
-- Until now tries by hand were counted with the queue's.
UPDATE kyc_deliveries SET retries = tries - 1 WHERE tries > 1 AND state <> 'delivered';
