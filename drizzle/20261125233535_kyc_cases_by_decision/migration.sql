-- concurrently
CREATE INDEX CONCURRENTLY "kyc_verifications_decided" ON "kyc_verifications" ("decided_at","submitted_at") WHERE decided_at IS NOT NULL;
