-- Look-ups of the matching (docs/decisions/054): the lengths that order numbers have, the orders of a member that may still
-- be paid, and the decisions by which the policy is judged. Each locks its table for writes: some seconds for a million orders.
CREATE INDEX orders_code_length ON orders (length(plain_code(order_number)));--> statement-breakpoint
CREATE INDEX orders_open_member ON orders (member_id, id) WHERE status IN ('waiting_payment', 'expired');--> statement-breakpoint
CREATE INDEX bank_parts_verdict ON bank_parts (line_id) INCLUDE (policy_verdict, undone_at) WHERE policy_verdict IN ('same', 'other');--> statement-breakpoint
-- Money that comes to an order is a change of it, for lists of changes and for what is proposed for other lines.
CREATE TRIGGER orders_received_marked BEFORE UPDATE ON orders FOR EACH ROW
  WHEN (NEW.received <> OLD.received AND NEW.version = OLD.version) EXECUTE FUNCTION mark_change();--> statement-breakpoint
-- A few thousand keys are looked up one by one. The function is dear, which keeps even small tables from being read whole, and no key
-- reads a list of entries that wait.
ALTER FUNCTION code_deletions(text) COST 10000;--> statement-breakpoint
ALTER INDEX orders_code_deletions SET (fastupdate = off);--> statement-breakpoint
ALTER INDEX payer_names_keys SET (fastupdate = off);
