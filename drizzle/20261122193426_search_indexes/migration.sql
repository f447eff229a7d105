-- Page walk, flags and substring filter from the index alone.
CREATE INDEX members_walk ON members (created_at, id) INCLUDE (search, kyc_completed, banned);--> statement-breakpoint
CREATE INDEX members_search ON members USING gin (search gin_trgm_ops);--> statement-breakpoint
CREATE INDEX orders_search ON orders USING gin (search gin_trgm_ops);--> statement-breakpoint
-- Finer statistics let the planner tell a rare search (trigram index) from a common one (walk).
ALTER TABLE members ALTER COLUMN search SET STATISTICS 1000;--> statement-breakpoint
ALTER TABLE orders ALTER COLUMN search SET STATISTICS 1000;--> statement-breakpoint
-- Index-only walks need a fresh visibility map.
ALTER TABLE members SET (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);--> statement-breakpoint
-- Numbers are told apart by their last digits: the country stands before them or not.
CREATE INDEX members_phone ON members ((reverse(phone_digits(legal_phone)) COLLATE "C")) WHERE legal_phone IS NOT NULL;--> statement-breakpoint
-- An order is found by its number and by its IBAN however they are written.
CREATE INDEX orders_code ON orders ((plain_code(order_number) COLLATE "C"));--> statement-breakpoint
CREATE INDEX orders_iban ON orders ((plain_code(iban) COLLATE "C"), created_at, id);
