-- Look-ups of the matching (docs/decisions/054): the lengths that order numbers have, and the orders of a member that may still
-- be paid. Each locks orders for writes while it is built: some seconds for a million.
CREATE INDEX orders_code_length ON orders (length(plain_code(order_number)));--> statement-breakpoint
CREATE INDEX orders_open_member ON orders (member_id, id) WHERE status IN ('waiting_payment', 'expired');
