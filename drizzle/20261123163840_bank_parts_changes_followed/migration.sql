-- A part that is added or undone changes what money out may take back or pay back, without a change of an order. The proposals
-- follow it by the transaction that wrote it (docs/decisions/054). Holds bank_parts, of which the migration before rewrites all rows.
CREATE OR REPLACE FUNCTION keep_bank_sums() RETURNS trigger LANGUAGE plpgsql AS $$
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
    -- A database that was moved to another server numbers its transactions anew.
    RETURN NULL;
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
CREATE TRIGGER bank_parts_change_marked BEFORE UPDATE ON bank_parts FOR EACH ROW
  WHEN (OLD.undone_at IS NULL AND NEW.undone_at IS NOT NULL) EXECUTE FUNCTION mark_change();
