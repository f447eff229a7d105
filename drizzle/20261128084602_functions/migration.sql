CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
-- Lower case without accents, and without what nobody sees: zero-width and bidi characters go, any blanks, commas and
-- semicolons are one space, and every dash is a hyphen. NFKD splits "é" into "e" and a mark, and an alef with hamza into both: the
-- mark goes; a few letters do not split.
CREATE FUNCTION fold_text(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN btrim(regexp_replace(translate(replace(replace(replace(lower(regexp_replace(normalize(value, NFKD),
  '[\u0300-\u036f\u064b-\u0655\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]', '', 'g')), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
  'øłđħŧıðς’‘ʼ‐‑‒–—―−', 'oldhtidσ''''''-------'), '[\s\u0085\u1680\u2028\u2029,;]+', ' ', 'g'));--> statement-breakpoint
-- What a member is found by, each in a line of its own: first and last name, last and first name, e-mail. Cut so that an
-- index row always holds it.
CREATE FUNCTION member_search(first_name text, last_name text, email text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN left(fold_text(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), 190) || E'\n'
  || CASE WHEN fold_text(coalesce(first_name, '')) <> '' AND fold_text(coalesce(last_name, '')) <> ''
    THEN left(fold_text(last_name || ' ' || first_name), 190) || E'\n' ELSE '' END
  || left(fold_text(email), 254);--> statement-breakpoint
-- A LIKE pattern for "contains what was typed": folded the same way, with % _ and \ as plain characters.
CREATE FUNCTION search_pattern(typed text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN '%' || regexp_replace(fold_text(typed), '([\\%_])', '\\\1', 'g') || '%';--> statement-breakpoint
-- A telephone number by its digits: +351 912 and 00351 912 are the same, and so is a (0) within.
CREATE FUNCTION phone_digits(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ltrim(regexp_replace(replace(normalize(value, NFKC), '(0)', ''), '\D', '', 'g'), '0');--> statement-breakpoint
-- A number as people copy it, with or without blanks and hyphens: its letters and digits alone.
CREATE FUNCTION plain_code(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN upper(regexp_replace(value, '[^A-Za-z0-9]', '', 'g'));--> statement-breakpoint
-- What a line of a bank is found by, each in a line of its own: the payer's name and account, references, texts. Cut, because
-- a text may be as long as a bank likes. array_to_string is only stable for types whose output depends on settings; text is none.
CREATE FUNCTION bank_line_search(payer_name text, payer_account text, payer_references text[], remittance text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN left(fold_text(coalesce(payer_name, '')), 300) || E'\n'
  || left(fold_text(coalesce(payer_account, '')), 100) || E'\n'
  || left(fold_text(array_to_string(payer_references, ' ')), 500) || E'\n'
  || left(fold_text(array_to_string(remittance, ' ')), 4000);--> statement-breakpoint
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
  THEN plain_code(order_number) ELSE 'O' || id END);--> statement-breakpoint
-- A sum with 2 to 5 places, as amounts are written.
CREATE FUNCTION round_money(amount numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN round(amount, greatest(2, min_scale(amount)));--> statement-breakpoint
-- Numbers of orders as a garbled text tells them (docs/decisions/053): letters that look like digits, and the digits at the end.
CREATE FUNCTION code_look_alikes(code text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN translate(code, 'OQDILSBZG', '000115826');--> statement-breakpoint
CREATE FUNCTION code_digits(code text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ltrim(substring(code FROM '[0-9]+$'), '0');--> statement-breakpoint
-- The first 64 bits of a picture's hash in four bands. Two hashes that differ there in three bits at most have a band in common.
CREATE FUNCTION picture_bands(hash bit(256)) RETURNS int[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY[substring(hash FROM 1 FOR 16)::int, 65536 + substring(hash FROM 17 FOR 16)::int,
  131072 + substring(hash FROM 33 FOR 16)::int, 196608 + substring(hash FROM 49 FOR 16)::int];--> statement-breakpoint
-- A name or an e-mail as it is compared: without blanks around it, letters composed (NFC), in lower case. One letter has two lower
-- forms at the end of a Greek word, and the Turkish İ has its dot apart in some ways of writing it.
CREATE FUNCTION fold_name(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN translate(replace(lower(normalize(btrim(value, U&' \0009\000a\000d\00a0\3000'), NFC)), U&'i\0307', 'i'), 'ς', 'σ');
