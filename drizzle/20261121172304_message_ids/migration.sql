CREATE INDEX "kyc_deliveries_webhook" ON "kyc_deliveries" ("webhook_id");--> statement-breakpoint
CREATE INDEX "kyc_receipts_webhook" ON "kyc_receipts" ("webhook_id");