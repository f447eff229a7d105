-- concurrently
CREATE INDEX CONCURRENTLY "chain_coverage_behind" ON "chain_coverage" ("chain_id","next_block","kind") WHERE next_block <> 9007199254740991;
