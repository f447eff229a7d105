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
CREATE INDEX orders_iban ON orders ((plain_code(iban) COLLATE "C"), created_at, id);--> statement-breakpoint
CREATE INDEX bank_lines_search ON bank_lines USING gin (search gin_trgm_ops);--> statement-breakpoint
ALTER TABLE bank_lines ALTER COLUMN search SET STATISTICS 1000;--> statement-breakpoint
-- A line is found by the beginning of the payer's account however it is written.
CREATE INDEX bank_lines_payer_account ON bank_lines ((left(plain_code(payer_account), 34) COLLATE "C"), listed_at, id);--> statement-breakpoint
-- Orders that may still be paid, by what a garbled text or an amount tells of them (docs/decisions/053).
CREATE INDEX orders_code_look_alikes ON orders ((code_look_alikes(plain_code(order_number)) COLLATE "C"));--> statement-breakpoint
CREATE INDEX orders_code_digits ON orders ((code_digits(plain_code(order_number)) COLLATE "C"))
  WHERE length(code_digits(plain_code(order_number))) >= 4;--> statement-breakpoint
CREATE INDEX orders_outstanding ON orders (currency, (investment_amount - received), expires_at, created_at)
  WHERE status IN ('waiting_payment', 'expired');--> statement-breakpoint
CREATE INDEX bank_lines_credits ON bank_lines (currency, amount) WHERE direction = 'credit' AND booking = 'booked';--> statement-breakpoint
-- Look-ups of the matching (docs/decisions/054): the lengths that order numbers have, the orders of a member that may still be
-- paid, and the decisions by which the policy is judged.
CREATE INDEX orders_code_length ON orders (length(plain_code(order_number)));--> statement-breakpoint
CREATE INDEX orders_open_member ON orders (member_id, id) WHERE status IN ('waiting_payment', 'expired');--> statement-breakpoint
CREATE INDEX bank_allocations_verdict ON bank_allocations (line_id) INCLUDE (policy_verdict, undone_at, undone_with)
  WHERE policy_verdict IN ('same', 'other');--> statement-breakpoint
CREATE INDEX notes_search ON notes USING gin (search gin_trgm_ops);--> statement-breakpoint
-- Without a list of pending entries, which each search would read to its end.
CREATE INDEX documents_picture_bands ON documents USING gin (picture_bands(picture_hash)) WITH (fastupdate = off);--> statement-breakpoint
ALTER INDEX payer_names_keys SET (fastupdate = off);--> statement-breakpoint
-- Tables that grow for ever wait by default until a fifth of them is new: at fifty million rows their statistics and visibility map
-- would be weeks old. Here a fiftieth is enough, a hundredth where rows are only added.
ALTER TABLE audit_log SET (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);--> statement-breakpoint
ALTER TABLE audit_chain SET (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);--> statement-breakpoint
ALTER TABLE platform_events SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);--> statement-breakpoint
ALTER TABLE message_attempts SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);--> statement-breakpoint
-- A message is written, leased and settled: room on its page for the later states.
ALTER TABLE messages SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);--> statement-breakpoint
ALTER TABLE security_events SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);--> statement-breakpoint
ALTER TABLE chain_transactions SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);--> statement-breakpoint
ALTER TABLE platform_transactions SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);--> statement-breakpoint
ALTER TABLE orders SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);--> statement-breakpoint
ALTER TABLE bank_lines SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);--> statement-breakpoint
ALTER TABLE documents SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);--> statement-breakpoint
ALTER TABLE wallets SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);--> statement-breakpoint
ALTER TABLE chain_coverage SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);--> statement-breakpoint
-- Written and folded away all the time, and small: it is cleaned by number, not by share.
ALTER TABLE list_deltas SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
