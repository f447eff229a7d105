CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- Lower case without accents. NFKD splits "é" into "e" and a mark, which goes; a few letters do not split.
CREATE FUNCTION fold_text(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN translate(lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g')), 'øłđħŧıð', 'oldhtid');
--> statement-breakpoint
-- What a member is found by: first and last name together, e-mail apart (a line break stands between them and in no
-- search). Cut so that an index row always holds it.
CREATE FUNCTION member_search(first_name text, last_name text, email text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN left(fold_text(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), 220) || E'\n' || left(fold_text(email), 254);
--> statement-breakpoint
-- A LIKE pattern for "contains what was typed": folded the same way, with % _ and \ as plain characters.
CREATE FUNCTION search_pattern(typed text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN '%' || regexp_replace(fold_text(translate(typed, E'\n\r', '  ')), '([\\%_])', '\\\1', 'g') || '%';
