-- concurrently
CREATE INDEX CONCURRENTLY "bank_statements_continues" ON "bank_statements" ("continues_id");
