-- concurrently
CREATE INDEX CONCURRENTLY "bank_lines_proposed" ON "bank_lines" USING gin ("proposed_orders") WHERE state IN ('open', 'part');