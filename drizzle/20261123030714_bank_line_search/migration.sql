-- What a line of a bank is found by, each in a line of its own: the payer's name and account, references, texts. Cut, because
-- a text may be as long as a bank likes. array_to_string is only stable for types whose output depends on settings; text is none.
CREATE FUNCTION bank_line_search(payer_name text, payer_account text, payer_references text[], remittance text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN left(fold_text(coalesce(payer_name, '')), 300) || E'\n'
  || left(fold_text(coalesce(payer_account, '')), 100) || E'\n'
  || left(fold_text(array_to_string(payer_references, ' ')), 500) || E'\n'
  || left(fold_text(array_to_string(remittance, ' ')), 4000);
