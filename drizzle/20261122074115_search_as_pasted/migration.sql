-- Lower case without accents, and without what nobody sees: zero-width and bidi characters go, any blanks, commas and
-- semicolons are one space. NFKD splits "é" into "e" and a mark, which goes; a few letters do not split.
CREATE OR REPLACE FUNCTION fold_text(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN btrim(regexp_replace(translate(replace(lower(regexp_replace(normalize(value, NFKD),
  '[\u0300-\u036f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]', '', 'g')), 'ß', 'ss'),
  'øłđħŧıðς’‘ʼ', 'oldhtidσ'''''''), '[\s\u0085\u1680\u2028\u2029,;]+', ' ', 'g'));
--> statement-breakpoint
-- What a member is found by, each in a line of its own: first and last name, last and first name, e-mail. Cut so that an
-- index row always holds it.
CREATE OR REPLACE FUNCTION member_search(first_name text, last_name text, email text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN left(fold_text(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), 190) || E'\n'
  || CASE WHEN fold_text(coalesce(first_name, '')) <> '' AND fold_text(coalesce(last_name, '')) <> ''
    THEN left(fold_text(last_name || ' ' || first_name), 190) || E'\n' ELSE '' END
  || left(fold_text(email), 254);
--> statement-breakpoint
-- A LIKE pattern for "contains what was typed": folded the same way, with % _ and \ as plain characters.
CREATE OR REPLACE FUNCTION search_pattern(typed text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN '%' || regexp_replace(fold_text(typed), '([\\%_])', '\\\1', 'g') || '%';
--> statement-breakpoint
-- What is stored of a function's result does not follow the function: the columns are made anew, with what stands on them.
DROP TRIGGER members_order_search ON members;
--> statement-breakpoint
ALTER TABLE members DROP COLUMN search;
--> statement-breakpoint
ALTER TABLE members ADD COLUMN search text NOT NULL GENERATED ALWAYS AS (member_search(legal_first_name, legal_last_name, email)) STORED;
--> statement-breakpoint
ALTER TABLE members ALTER COLUMN search SET STATISTICS 1000;
--> statement-breakpoint
CREATE INDEX members_walk ON members (created_at, id) INCLUDE (search, kyc_completed, banned);
--> statement-breakpoint
CREATE INDEX members_search ON members USING gin (search gin_trgm_ops);
--> statement-breakpoint
CREATE TRIGGER members_order_search AFTER UPDATE ON members
  FOR EACH ROW WHEN (OLD.search IS DISTINCT FROM NEW.search) EXECUTE FUNCTION give_member_search();
--> statement-breakpoint
ANALYZE members;
--> statement-breakpoint
UPDATE orders o SET member_search = m.search FROM members m WHERE m.id = o.member_id;
--> statement-breakpoint
-- A telephone number by its digits: +351 912 and 00351 912 are the same, and so is a (0) within.
CREATE FUNCTION phone_digits(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ltrim(regexp_replace(replace(normalize(value, NFKC), '(0)', ''), '\D', '', 'g'), '0');
--> statement-breakpoint
-- Numbers are told apart by their last digits: the country stands before them or not.
CREATE INDEX members_phone ON members ((reverse(phone_digits(legal_phone)) COLLATE "C")) WHERE legal_phone IS NOT NULL;
--> statement-breakpoint
-- A number as people copy it, with or without blanks and hyphens: its letters and digits alone.
CREATE FUNCTION plain_code(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN upper(regexp_replace(value, '[^A-Za-z0-9]', '', 'g'));
--> statement-breakpoint
CREATE INDEX orders_code ON orders ((plain_code(order_number) COLLATE "C"));
--> statement-breakpoint
CREATE INDEX orders_iban ON orders ((plain_code(iban) COLLATE "C"), created_at, id);
