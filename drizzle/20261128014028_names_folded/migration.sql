-- A name or an e-mail as it is compared: without blanks around it, letters composed (NFC), in lower case. One letter has two lower
-- forms at the end of a Greek word, and the Turkish İ has its dot apart in some ways of writing it.
CREATE FUNCTION fold_name(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN translate(replace(lower(normalize(btrim(value, U&' \0009\000a\000d\00a0\3000'), NFC)), U&'i\0307', 'i'), 'ς', 'σ');
