-- A number with a typing error is looked up by the numbers that differ from it in one place, which the index of the numbers
-- finds. Keys of each number cost every write of an order more (docs/decisions/058).
DROP INDEX orders_code_deletions;--> statement-breakpoint
DROP FUNCTION code_deletions(text);--> statement-breakpoint
-- The orders of an amount that waited on a day. Locks orders for writes: some seconds for a million.
DROP INDEX orders_outstanding;--> statement-breakpoint
CREATE INDEX orders_outstanding ON orders (currency, (investment_amount - received), expires_at, created_at)
  WHERE status IN ('waiting_payment', 'expired');--> statement-breakpoint
-- The keys of names are others now. The next pass makes them anew.
TRUNCATE payer_names;
