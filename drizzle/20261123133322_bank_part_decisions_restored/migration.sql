-- Parts name the decision on money that went out which made and undid them on both lines, so that undoing it brings back what it
-- undid. Earlier ones are named by what both sides have in common. Holds bank_parts, of which it rewrites the reversals.
CREATE OR REPLACE FUNCTION keep_bank_sums() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change numeric;
  undoing CONSTANT text[] := ARRAY['undone_at', 'undone_by', 'undo_reason', 'undone_with'];
BEGIN
  IF TG_OP = 'INSERT' AND NEW.undone_at IS NULL THEN
    change := NEW.amount;
  ELSIF TG_OP = 'UPDATE' AND OLD.undone_at IS NULL AND NEW.undone_at IS NOT NULL
    AND to_jsonb(NEW) - undoing = to_jsonb(OLD) - undoing THEN
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
ALTER TABLE bank_parts DISABLE TRIGGER bank_parts_sums;--> statement-breakpoint
WITH sides AS (
  SELECT id, CASE direction WHEN 'credit' THEN line_id ELSE other_line_id END AS credit_id,
    CASE direction WHEN 'credit' THEN other_line_id ELSE line_id END AS debit_id, made_at, amount,
    row_number() OVER (PARTITION BY direction, line_id, other_line_id, made_at, amount ORDER BY id) AS nth
  FROM bank_parts WHERE purpose = 'reversal'
), decisions AS MATERIALIZED (
  SELECT array_agg(id) AS ids, gen_random_uuid() AS decision FROM sides GROUP BY credit_id, debit_id, made_at, amount, nth
)
UPDATE bank_parts p SET made_with = d.decision FROM decisions d WHERE p.id = ANY(d.ids);--> statement-breakpoint
UPDATE bank_parts p SET undone_with = r.made_with
FROM (SELECT DISTINCT ON (line_id, made_at, made_by) line_id, made_at, made_by, made_with FROM bank_parts
  WHERE purpose = 'reversal' AND direction = 'credit' ORDER BY line_id, made_at, made_by, id) r
WHERE p.line_id = r.line_id AND p.undone_at = r.made_at AND p.undone_by = r.made_by AND p.purpose IN ('order', 'ignored');--> statement-breakpoint
ALTER TABLE bank_parts ENABLE TRIGGER bank_parts_sums;--> statement-breakpoint
-- With what tells a payment that the bank took back from a decision that an operator undid.
DROP INDEX bank_parts_verdict;--> statement-breakpoint
CREATE INDEX bank_parts_verdict ON bank_parts (line_id) INCLUDE (policy_verdict, undone_at, undone_with)
  WHERE policy_verdict IN ('same', 'other');
