DROP INDEX "bank_statements_difference";--> statement-breakpoint
ALTER TABLE "bank_statements" ADD COLUMN "is_gap" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "bank_statements" ADD COLUMN "jump" numeric;--> statement-breakpoint
ALTER TABLE "bank_statements" ADD COLUMN "contradiction" jsonb;--> statement-breakpoint
UPDATE bank_statements s SET is_gap = n.gap, jump = n.gap_jump, contradiction = n.next FROM (
      SELECT t.id, t.gap, t.next, CASE WHEN t.gap OR t.gap_known_at IS NOT NULL THEN (SELECT t.opening - b.closing FROM bank_statements b
  WHERE b.account_id = t.account_id AND b.id <> t.id AND b.kind IN ('camt.053', 'MT940', 'CSV') AND b.closing IS NOT NULL
    AND (b.ends_on <= coalesce(t.opening_on, t.ends_on) OR b.kind = t.kind AND b.sequence = t.sequence - 1 AND b.ends_on <= t.ends_on)
    AND (b.ends_on < t.ends_on OR b.id < t.id)
  ORDER BY b.ends_on DESC, b.sequence DESC NULLS LAST, b.id DESC LIMIT 1) END AS gap_jump
      FROM (SELECT t.*, (t.kind IN ('camt.053', 'MT940') AND t.gap_known_at IS NULL
  AND NOT EXISTS (SELECT FROM bank_statements b WHERE b.account_id = t.account_id AND b.kind = t.kind AND b.sequence = t.sequence - 1 AND b.ends_on <= t.ends_on AND b.ends_on > t.ends_on - 270)
  AND CASE WHEN t.opening IS NULL
    THEN EXISTS (SELECT FROM bank_statements b WHERE b.account_id = t.account_id AND b.kind = t.kind AND b.sequence < t.sequence - 1 AND b.id < t.id AND b.ends_on > t.ends_on - 270)
    ELSE EXISTS (SELECT FROM bank_statements b WHERE b.account_id = t.account_id AND b.kind = t.kind AND (coalesce(b.opening_on, b.ends_on) < coalesce(t.opening_on, t.ends_on) OR coalesce(b.opening_on, b.ends_on) = coalesce(t.opening_on, t.ends_on)
  AND (b.ends_on < t.ends_on OR b.ends_on = t.ends_on AND b.sequence < t.sequence)))
      AND NOT EXISTS (SELECT FROM bank_statements b WHERE b.account_id = t.account_id AND b.kind = t.kind AND b.opening = t.opening AND b.opening_on = t.opening_on AND b.id < t.id)
      AND NOT EXISTS (SELECT FROM bank_statements b WHERE b.account_id = t.account_id AND b.closing = t.opening
        AND (b.ends_on < t.ends_on OR b.ends_on = t.ends_on AND b.id <> t.id AND b.number IS DISTINCT FROM t.number))
  END) AS gap, (CASE WHEN t.kind IN ('camt.053', 'MT940') AND t.closing IS NOT NULL AND NOT EXISTS (SELECT FROM bank_statements b WHERE b.account_id = t.account_id AND b.id <> t.id AND b.opening = t.closing AND (coalesce(b.opening_on, b.ends_on) >= t.ends_on OR b.kind = t.kind AND b.sequence = t.sequence + 1 AND b.ends_on >= t.ends_on AND b.ends_on < t.ends_on + 270)) THEN (
  SELECT json_build_object('number', b.number, 'day', coalesce(b.opening_on, b.ends_on)::text, 'opening', round(b.opening, greatest(2, min_scale(b.opening)))::text,
    'difference', round(t.closing - b.opening, greatest(2, min_scale(t.closing - b.opening)))::text)
  FROM bank_statements b WHERE b.account_id = t.account_id AND b.id <> t.id AND b.kind IN ('camt.053', 'MT940') AND b.opening <> t.closing AND (b.kind = t.kind AND b.sequence = t.sequence + 1 AND b.ends_on >= t.ends_on AND b.ends_on < t.ends_on + 270 OR coalesce(b.opening_on, b.ends_on) >= t.ends_on AND b.ends_on > t.ends_on
    AND EXISTS (SELECT FROM bank_statements p WHERE p.account_id = t.account_id AND p.id <> t.id AND p.id <> b.id AND p.closing = b.opening AND p.ends_on <= t.ends_on))
    AND NOT EXISTS (SELECT FROM bank_statements r WHERE r.account_id = t.account_id AND r.id <> t.id AND r.opening = t.opening AND coalesce(r.opening_on, r.ends_on) = coalesce(t.opening_on, t.ends_on) AND r.ends_on >= t.ends_on
  AND NOT EXISTS (SELECT FROM bank_statement_lines o WHERE o.statement_id = t.id
    AND NOT EXISTS (SELECT FROM bank_statement_lines n WHERE n.statement_id = r.id AND n.line_id = o.line_id)))
  ORDER BY coalesce(b.opening_on, b.ends_on), b.ends_on, b.id LIMIT 1) END)::jsonb AS next
        FROM bank_statements t) t) n
    WHERE s.id = n.id AND (s.is_gap, s.jump, s.contradiction) IS DISTINCT FROM (n.gap, n.gap_jump, n.next);