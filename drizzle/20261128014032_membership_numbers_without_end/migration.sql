-- Its end stopped all approvals: from the ten-millionth on a membership id has nine digits (product 7.1).
ALTER SEQUENCE membership_numbers NO MAXVALUE;
