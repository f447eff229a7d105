-- An order is found by its member's name and e-mail, which stand on another table: a copy is kept on the order. The lock
-- makes a change of the member and a new order of theirs wait for each other, so that no copy is of a former name.
CREATE FUNCTION take_member_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT search INTO NEW.member_search FROM members WHERE id = NEW.member_id FOR SHARE;
  NEW.member_search := coalesce(NEW.member_search, '');
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_member_search BEFORE INSERT OR UPDATE OF member_id ON orders
  FOR EACH ROW EXECUTE FUNCTION take_member_search();
--> statement-breakpoint
CREATE FUNCTION give_member_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET member_search = NEW.search WHERE member_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER members_order_search AFTER UPDATE ON members
  FOR EACH ROW WHEN (OLD.search IS DISTINCT FROM NEW.search) EXECUTE FUNCTION give_member_search();
--> statement-breakpoint
UPDATE orders o SET member_search = m.search FROM members m WHERE m.id = o.member_id;
--> statement-breakpoint
ALTER TABLE orders ALTER COLUMN search SET NOT NULL;
--> statement-breakpoint
CREATE INDEX orders_search ON orders USING gin (search gin_trgm_ops);
--> statement-breakpoint
-- Finer statistics let the planner tell a rare search (trigram index) from a common one (walk).
ALTER TABLE orders ALTER COLUMN search SET STATISTICS 1000;
--> statement-breakpoint
CREATE TRIGGER orders_added AFTER INSERT ON orders
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('orders', 'r.status', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER orders_changed AFTER UPDATE ON orders
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('orders', 'r.status', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER orders_removed AFTER DELETE ON orders
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('orders', 'r.status', 'r.created_at');
--> statement-breakpoint
INSERT INTO list_deltas (list, leaf, day, rows)
SELECT 'orders', status, (created_at AT TIME ZONE 'UTC')::date, count(*) FROM orders GROUP BY 2, 3;
