-- concurrently
CREATE INDEX CONCURRENTLY "bank_statements_gaps" ON "bank_statements" ("account_id","created_at","id") WHERE is_gap;