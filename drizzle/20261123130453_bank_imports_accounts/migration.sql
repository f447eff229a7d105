-- Whose statements each file has brought. Files are few beside their lines.
UPDATE bank_imports i SET account_ids = ARRAY(SELECT DISTINCT s.account_id FROM bank_statements s WHERE s.import_id = i.id ORDER BY 1);
