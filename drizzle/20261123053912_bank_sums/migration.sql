-- What of a line has a purpose and what of an order is received follow from the parts, whoever writes them; checks refuse what
-- does not add up. A part is only ever added, and undone once. Writers hold line and order, in this order.
CREATE FUNCTION fill_bank_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT account_id, direction INTO NEW.account_id, NEW.direction FROM bank_lines WHERE id = NEW.line_id;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER bank_parts_filled BEFORE INSERT ON bank_parts FOR EACH ROW EXECUTE FUNCTION fill_bank_part();--> statement-breakpoint
-- A sum with 2 to 5 places, as amounts are written.
CREATE FUNCTION round_money(amount numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN round(amount, greatest(2, min_scale(amount)));--> statement-breakpoint
CREATE FUNCTION keep_bank_sums() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change numeric;
BEGIN
  IF TG_OP = 'INSERT' AND NEW.undone_at IS NULL THEN
    change := NEW.amount;
  ELSIF TG_OP = 'UPDATE' AND OLD.undone_at IS NULL AND NEW.undone_at IS NOT NULL
    AND to_jsonb(NEW) - ARRAY['undone_at', 'undone_by', 'undo_reason'] = to_jsonb(OLD) - ARRAY['undone_at', 'undone_by', 'undo_reason'] THEN
    change := -NEW.amount;
  ELSE
    RAISE EXCEPTION 'a part is added and undone once, and never changed';
  END IF;
  UPDATE bank_lines SET allocated = round_money(allocated + change), version = version + 1,
    suggestion = NULL, outcome = NULL, flags = '{}', proposed_orders = '{}' WHERE id = NEW.line_id;
  IF NEW.purpose = 'order' THEN
    UPDATE orders SET received = round_money(received + change) WHERE id = NEW.order_id;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER bank_parts_sums AFTER INSERT OR UPDATE ON bank_parts FOR EACH ROW EXECUTE FUNCTION keep_bank_sums();--> statement-breakpoint
CREATE TRIGGER bank_parts_stay BEFORE DELETE OR TRUNCATE ON bank_parts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
INSERT INTO bank_policy DEFAULT VALUES;--> statement-breakpoint
-- Orders that may still be paid, by what a garbled text or an amount tells of them (docs/decisions/053).
CREATE FUNCTION code_look_alikes(code text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN translate(code, 'OQDILSBZG', '000115826');--> statement-breakpoint
CREATE FUNCTION code_digits(code text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ltrim(substring(code FROM '[0-9]+$'), '0');--> statement-breakpoint
CREATE FUNCTION code_deletions(code text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY[code] || ARRAY(SELECT DISTINCT overlay(code PLACING '' FROM n FOR 1) FROM generate_series(1, length(code)) AS n);--> statement-breakpoint
CREATE INDEX orders_code_look_alikes ON orders ((code_look_alikes(plain_code(order_number)) COLLATE "C"));--> statement-breakpoint
CREATE INDEX orders_code_digits ON orders ((code_digits(plain_code(order_number)) COLLATE "C"))
  WHERE length(code_digits(plain_code(order_number))) >= 4;--> statement-breakpoint
CREATE INDEX orders_code_deletions ON orders USING gin (code_deletions(plain_code(order_number)))
  WHERE status IN ('waiting_payment', 'expired');--> statement-breakpoint
CREATE INDEX orders_outstanding ON orders (currency, (investment_amount - received))
  WHERE status IN ('waiting_payment', 'expired');--> statement-breakpoint
CREATE INDEX bank_lines_credits ON bank_lines (currency, amount) WHERE direction = 'credit' AND booking = 'booked';--> statement-breakpoint
SELECT count_table('bank_lines', 'bank_lines',
  leaf => $$t.account_id::text || '/' || t.state || '/' || t.direction || '/' || coalesce(t.suggestion, '')$$,
  day => $$(t.listed_at AT TIME ZONE 'UTC')::date$$,
  amount => $$t.amount$$);--> statement-breakpoint
SELECT count_table('bank_parts', 'bank_parts',
  leaf => $$t.account_id::text || '/' || t.direction || '/' || t.purpose$$,
  day => $$date 'epoch'$$,
  condition => $$t.undone_at IS NULL$$,
  amount => $$t.amount$$);
