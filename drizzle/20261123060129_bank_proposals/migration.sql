-- Look-ups of the matching (docs/decisions/054): the lengths that order numbers have, the orders of a member that may still be
-- paid, and credits of which something is to be paid back. Each locks its table for writes while it is built: some seconds
-- for a million orders.
CREATE INDEX orders_code_length ON orders (length(plain_code(order_number)));--> statement-breakpoint
CREATE INDEX orders_open_member ON orders (member_id, id) WHERE status IN ('waiting_payment', 'expired');--> statement-breakpoint
CREATE INDEX bank_parts_refunds ON bank_parts (line_id) INCLUDE (amount)
  WHERE undone_at IS NULL AND purpose = 'refund' AND direction = 'credit';
