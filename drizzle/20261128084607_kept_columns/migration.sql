-- An order is found by its member's name and e-mail, which stand on another table: a copy is kept on the order. The lock
-- makes a change of the member and a new order of theirs wait for each other, so that no copy is of a former name.
CREATE FUNCTION take_member_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT search INTO NEW.member_search FROM members WHERE id = NEW.member_id FOR SHARE;
  NEW.member_search := coalesce(NEW.member_search, '');
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER orders_member_search BEFORE INSERT OR UPDATE OF member_id ON orders
  FOR EACH ROW EXECUTE FUNCTION take_member_search();--> statement-breakpoint
-- A member with many orders is changed without them: each order's text is in an index of its own, so that they took as long as
-- thousands of changes. The job `spread-names` gives it to them in batches, a moment later.
CREATE FUNCTION give_member_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM (SELECT FROM orders WHERE member_id = NEW.id LIMIT 101) AS few) <= 100 THEN
    UPDATE orders SET member_search = NEW.search WHERE member_id = NEW.id;
  ELSE
    -- A batch that is under way has the row: it ends first, and finds the row again, or its successor.
    INSERT INTO order_search_due (member_id) VALUES (NEW.id) ON CONFLICT (member_id) DO UPDATE SET created_at = now();
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER members_order_search AFTER UPDATE ON members
  FOR EACH ROW WHEN (OLD.search IS DISTINCT FROM NEW.search) EXECUTE FUNCTION give_member_search();--> statement-breakpoint
-- A change grows the version, no matter who makes it.
CREATE FUNCTION mark_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_in := pg_current_xact_id();
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER members_change_marked BEFORE UPDATE ON members FOR EACH ROW
  WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION mark_change();--> statement-breakpoint
CREATE TRIGGER orders_change_marked BEFORE UPDATE ON orders FOR EACH ROW
  WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION mark_change();--> statement-breakpoint
-- Anyone who writes an event holds the row of its entity, so that no two number the same one at once; the unique key is
-- the proof. A statement's own earlier rows are seen, so that several events of an entity may come together.
CREATE FUNCTION number_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.sequence := 1 + coalesce((
    SELECT max(sequence) FROM platform_events WHERE entity_id = NEW.entity_id AND entity_type = NEW.entity_type), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER platform_events_numbered BEFORE INSERT ON platform_events FOR EACH ROW EXECUTE FUNCTION number_event();--> statement-breakpoint
-- The function's plan is made once a session. Made while PostgreSQL knew the table as empty, it read all events for each one.
ALTER FUNCTION number_event() SET enable_seqscan = off;--> statement-breakpoint
-- Money that comes to an order is a change of it, for lists of changes and for what is proposed for other lines.
CREATE TRIGGER orders_received_marked BEFORE UPDATE ON orders FOR EACH ROW
  WHEN (NEW.received <> OLD.received AND NEW.version = OLD.version) EXECUTE FUNCTION mark_change();--> statement-breakpoint
-- What of a line has a purpose, what of its refunds has not gone out and what of an order is received follow from the allocations, no matter who
-- writes them; checks refuse what does not add up. An allocation is only ever added, and undone once. Writers hold line and order, in this order.
CREATE FUNCTION fill_bank_allocation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT account_id, direction INTO NEW.account_id, NEW.direction FROM bank_lines WHERE id = NEW.line_id;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER bank_allocations_filled BEFORE INSERT ON bank_allocations FOR EACH ROW EXECUTE FUNCTION fill_bank_allocation();--> statement-breakpoint
CREATE FUNCTION keep_bank_sums() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change numeric;
  undoing CONSTANT text[] := ARRAY['undone_at', 'undone_by', 'undo_reason', 'undone_with', 'changed_in'];
BEGIN
  IF TG_OP = 'INSERT' AND NEW.undone_at IS NULL THEN
    change := NEW.amount;
  ELSIF TG_OP = 'UPDATE' AND OLD.undone_at IS NULL AND NEW.undone_at IS NOT NULL
    AND to_jsonb(NEW) - undoing = to_jsonb(OLD) - undoing THEN
    change := -NEW.amount;
  ELSIF TG_OP = 'UPDATE' AND to_jsonb(NEW) - 'changed_in' = to_jsonb(OLD) - 'changed_in' THEN
    -- A database that was moved to another server numbers its transactions again.
    RETURN NULL;
  ELSE
    RAISE EXCEPTION 'an allocation is added and undone once, and never changed';
  END IF;
  UPDATE bank_lines SET allocated = round_money(allocated + change), version = version + 1,
    refund_due = CASE WHEN NEW.purpose = 'refund' AND NEW.direction = 'credit' THEN round_money(refund_due + change) ELSE refund_due END,
    suggestion = NULL, outcome = NULL, flags = '{}', proposed_orders = '{}' WHERE id = NEW.line_id;
  IF NEW.purpose = 'order' THEN
    UPDATE orders SET received = round_money(received + change) WHERE id = NEW.order_id;
  ELSIF NEW.purpose = 'refund' AND NEW.direction = 'debit' THEN
    UPDATE bank_lines SET refund_due = round_money(refund_due - change) WHERE id = NEW.other_line_id;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER bank_allocations_sums AFTER INSERT OR UPDATE ON bank_allocations FOR EACH ROW EXECUTE FUNCTION keep_bank_sums();--> statement-breakpoint
-- The proposals follow an allocation that is added or undone by the transaction that wrote it (docs/decisions/054).
CREATE TRIGGER bank_allocations_change_marked BEFORE UPDATE ON bank_allocations FOR EACH ROW
  WHEN (OLD.undone_at IS NULL AND NEW.undone_at IS NOT NULL) EXECUTE FUNCTION mark_change();--> statement-breakpoint
-- The reader of the chain finds wallets that came or went without counting them (docs/decisions/098). A row for each, since
-- whichever transaction commits later than another brings its own.
CREATE FUNCTION note_wallet_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO wallet_changes (address) VALUES (OLD.address);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO wallet_changes (address) VALUES (NEW.address);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER wallets_change_noted AFTER INSERT OR DELETE OR UPDATE OF address ON wallets
  FOR EACH ROW EXECUTE FUNCTION note_wallet_change();
