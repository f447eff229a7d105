-- Who paid is what the bank wrote (docs/decisions/104). Names and accounts that were read from an ultimate debtor or from a text become
-- what the payer says of himself; what was learned from them is unlearned, and these payments are listed on their members' pages as
-- those of others. Columns of CSV files whose signs nobody has explained are asked for again. Holds bank_parts.
CREATE TEMPORARY TABLE claimed_lines AS
SELECT l.id, l.payer_name AS name, l.payer_account AS account,
  l.payer_name IS NOT NULL AND (coalesce(l.payer_name = l.details ->> 'ultimate', false)
    OR s.kind IN ('MT940', 'MT942') AND position(lower(l.payer_name) IN lower(array_to_string(l.remittance, ' '))) > 0) AS is_name,
  l.payer_account IS NOT NULL AND s.kind IN ('MT940', 'MT942', 'CSV')
    AND position(upper(l.payer_account) IN upper(regexp_replace(array_to_string(l.remittance, ''), '\s', '', 'g'))) > 0 AS is_account
FROM bank_lines l JOIN bank_statements s ON s.id = l.statement_id WHERE l.direction = 'credit';--> statement-breakpoint
DELETE FROM claimed_lines WHERE NOT is_name AND NOT is_account;--> statement-breakpoint
UPDATE bank_lines l SET version = l.version + 1, suggestion = NULL, outcome = NULL, flags = '{}', proposed_orders = '{}',
  payer_name = CASE WHEN NOT c.is_name THEN l.payer_name END,
  payer_account = CASE WHEN NOT c.is_account THEN l.payer_account END,
  details = l.details || jsonb_strip_nulls(jsonb_build_object(
    'textName', CASE WHEN c.is_name AND l.details ->> 'ultimate' IS DISTINCT FROM c.name THEN c.name END,
    'textIban', CASE WHEN c.is_account THEN c.account END))
FROM claimed_lines c WHERE c.id = l.id;--> statement-breakpoint
ALTER TABLE bank_parts DISABLE TRIGGER bank_parts_sums;--> statement-breakpoint
UPDATE bank_parts SET is_third_party = true
WHERE purpose = 'order' AND undone_at IS NULL AND line_id IN (SELECT id FROM claimed_lines);--> statement-breakpoint
ALTER TABLE bank_parts ENABLE TRIGGER bank_parts_sums;--> statement-breakpoint
DELETE FROM payer_accounts WHERE line_id IN (SELECT id FROM claimed_lines);--> statement-breakpoint
INSERT INTO payer_accounts (account, member_id, line_id, confirmed_by, created_at)
SELECT DISTINCT ON (l.payer_account, o.member_id) l.payer_account, o.member_id, l.id, p.made_by, p.made_at
FROM bank_parts p JOIN bank_lines l ON l.id = p.line_id JOIN orders o ON o.id = p.order_id
WHERE p.purpose = 'order' AND p.undone_at IS NULL AND NOT p.is_third_party AND l.payer_account IS NOT NULL
ORDER BY l.payer_account, o.member_id, p.id
ON CONFLICT DO NOTHING;--> statement-breakpoint
DROP TABLE claimed_lines;--> statement-breakpoint
UPDATE bank_accounts SET csv_profile = NULL, version = version + 1
WHERE csv_profile -> 'columns' ? 'sign' AND NOT csv_profile ? 'signs';
