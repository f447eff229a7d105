-- What of a line's refunds has not gone out follows from the parts too, since every open console asks for it. Holds bank_parts, so
-- that no part comes between the sums of those there are and the function that adds the next one.
LOCK TABLE bank_parts IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
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
    refund_due = CASE WHEN NEW.purpose = 'refund' AND NEW.direction = 'credit' THEN round_money(refund_due + change) ELSE refund_due END,
    suggestion = NULL, outcome = NULL, flags = '{}', proposed_orders = '{}' WHERE id = NEW.line_id;
  IF NEW.purpose = 'order' THEN
    UPDATE orders SET received = round_money(received + change) WHERE id = NEW.order_id;
  ELSIF NEW.purpose = 'refund' AND NEW.direction = 'debit' THEN
    UPDATE bank_lines SET refund_due = round_money(refund_due - change) WHERE id = NEW.other_line_id;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
UPDATE bank_lines l SET refund_due = round_money(d.due) FROM (
  SELECT line_id, sum(amount) AS due FROM (
    SELECT line_id, amount FROM bank_parts WHERE purpose = 'refund' AND direction = 'credit' AND undone_at IS NULL
    UNION ALL SELECT other_line_id, -amount FROM bank_parts
    WHERE purpose = 'refund' AND direction = 'debit' AND undone_at IS NULL AND other_line_id IS NOT NULL) r
  GROUP BY line_id) d
WHERE l.id = d.line_id AND d.due <> 0;
