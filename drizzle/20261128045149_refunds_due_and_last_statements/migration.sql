-- concurrently
CREATE INDEX CONCURRENTLY "bank_lines_refund_due" ON "bank_lines" ("listed_at","id") WHERE refund_due > 0;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "bank_statements_first" ON "bank_statements" ("account_id",coalesce(opening_on, ends_on)) WHERE kind IN ('camt.053', 'MT940', 'CSV') AND opening IS NOT NULL AND closing IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "bank_statements_last" ON "bank_statements" ("account_id","ends_on") WHERE kind IN ('camt.053', 'MT940', 'CSV') AND opening IS NOT NULL AND closing IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "bank_statements_latest" ON "bank_statements" ("account_id",(kind = 'camt.054'),"ends_on" DESC,"sequence" DESC NULLS LAST,"id" DESC);