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
CREATE FUNCTION give_member_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET member_search = NEW.search WHERE member_id = NEW.id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER members_order_search AFTER UPDATE ON members
  FOR EACH ROW WHEN (OLD.search IS DISTINCT FROM NEW.search) EXECUTE FUNCTION give_member_search();--> statement-breakpoint
-- A change grows the version, whoever makes it.
CREATE FUNCTION mark_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_in := pg_current_xact_id();
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER members_change_marked BEFORE UPDATE ON members FOR EACH ROW
  WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION mark_change();--> statement-breakpoint
CREATE TRIGGER orders_change_marked BEFORE UPDATE ON orders FOR EACH ROW
  WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION mark_change();--> statement-breakpoint
-- Whoever writes an event holds the row of its entity, so that no two number the same one at once; the unique key is
-- the proof. A statement's own earlier rows are seen, so that several events of an entity may come together.
CREATE FUNCTION number_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.sequence := 1 + coalesce((
    SELECT max(sequence) FROM platform_events WHERE entity_id = NEW.entity_id AND entity_type = NEW.entity_type), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER platform_events_numbered BEFORE INSERT ON platform_events FOR EACH ROW EXECUTE FUNCTION number_event();
