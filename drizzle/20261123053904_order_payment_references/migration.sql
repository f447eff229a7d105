-- The ISO 11649 reference of letters and digits, 21 at most: check digits by ISO 7064 mod 97-10, letters as 10 to 35.
CREATE FUNCTION rf_reference(body text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 'RF' || lpad((98 - ((
    SELECT string_agg(CASE WHEN c <= '9' THEN c ELSE (ascii(c) - 55)::text END, '' ORDER BY n)
    FROM unnest(string_to_array(body, NULL)) WITH ORDINALITY AS t(c, n)
  ) || '271500')::numeric % 97)::text, 2, '0') || body;--> statement-breakpoint
-- The reference that members pay an order with. It holds the order's number where that is the usual spelling of its letters and
-- digits, ORD-1024 or 1024, so that no other number can have the same; else, and for numbers that look like one of these, the
-- id behind an O.
CREATE FUNCTION order_payment_reference(order_number text, id bigint) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN rf_reference(CASE
  WHEN length(plain_code(order_number)) <= 21 AND plain_code(order_number) !~ '^O[0-9]+$'
    AND order_number = regexp_replace(plain_code(order_number), '^([A-Z]+)([0-9]+)$', '\1-\2')
  THEN plain_code(order_number) ELSE 'O' || id END);
