DROP INDEX "chain_transactions_token";--> statement-breakpoint
CREATE INDEX "chain_transactions_token" ON "chain_transactions" ("token_address","status","created_at","id");--> statement-breakpoint
CREATE INDEX "members_undecided" ON "members" ("id") WHERE kyc_status IN ('submitted', 'under_review', 'pending') AND kyc_submission_count > 0;