CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
-- Lower case without accents, and without what nobody sees: zero-width and bidi characters go, any blanks, commas and
-- semicolons are one space. NFKD splits "é" into "e" and a mark, which goes; a few letters do not split.
CREATE FUNCTION fold_text(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN btrim(regexp_replace(translate(replace(lower(regexp_replace(normalize(value, NFKD),
  '[\u0300-\u036f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]', '', 'g')), 'ß', 'ss'),
  'øłđħŧıðς’‘ʼ', 'oldhtidσ'''''''), '[\s\u0085\u1680\u2028\u2029,;]+', ' ', 'g'));--> statement-breakpoint
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
RETURN upper(regexp_replace(value, '[^A-Za-z0-9]', '', 'g'));
