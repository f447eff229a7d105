import { type CsvColumn, csvColumns } from '#contract/csv-profile.ts'
import { asianAccountWords, asianTextWords, asianUnreadWords, asianWords } from './csv-words-asia.ts'

const split = (words: string) => words.split('|')

/**
 * What headings mean in German, English, French, Spanish, Portuguese, Italian, Dutch, Polish, Danish, Swedish, Norwegian, Finnish and Czech. Of one column's words the
 * first one that is found decides, so what says most stands first.
 */
const europeanWords: Record<CsvColumn, string[]> = {
  bookedOn: split(
    'buchungstag|buchungsdatum|abschlussdatum|booking date|booked at|settlement date|posting date|posted transactions date|completed date|date completed|transaction date|buchung|' +
      'data mov|data movimento|data do movimento|data lancamento|data operacao|fecha operacion|fecha de operacion|fecha contable|f operacion|' +
      'boekdatum|boekingsdatum|uitvoeringsdatum|transactiedatum|date de comptabilisation|date comptable|date d operation|date operation|' +
      'dateop|data contabile|data registrazione|data operazione|data ksiegowania|data operacji|data transakcji|bogforingsdato|bokforingsdag|bokforingsdatum|bokforingsdato|transaktionsdatum|bokfort|kirjauspaiva|maksupaiva|tarih|islem tarihi|datum zauctovani|datum provedeni|' +
      'paivamaara|pvm|datum|date|' +
      'data|fecha|dato|tag',
  ),
  valueOn: split(
    'valutadatum|valutatag|wertstellungsdatum|wertstellung|wert|value date|valuta date|valuedate|data valor|fecha valor|fecha de valor|f valor|' +
      'date de valeur|date valeur|dateval|data valuta|data waluty|valutadag|rentedato|arvopaiva|datum valuty|rentedatum|valuta|valor',
  ),
  amount: split(
    'net|netto|net amount|total amount|transaction amount|betrag|umsatz|amount|credit/debit amount|montante|importe|bedrag|montant|importo|kwota operacji|kwota transakcji|kwota|valor|value|belob|belopp|maara|summa|castka|objem|tutar|islem tutari',
  ),
  credit: split(
    'paid in|money in|credit amount|credit|credito|creditos|haben|haber|gutschrift|bij|entradas|entrate|accrediti|ingreso|ingresos|abono|abonos|avere|' +
      'uznania|wplywy|insattning|insattningar|inn pa konto|inn|tilille|pano',
  ),
  debit: split(
    'paid out|money out|debit amount|debit|debito|debitos|soll|debe|debet|lastschrift|belastung|saidas|uscite|addebiti|cargo|cargos|dare|obciazenia|' +
      'wydatki|uttag|ut fra konto|ut|otto',
  ),
  sign: split(
    'af bij|soll/haben|debit/credit|credit/debit|creditdebet|credit debit indicator|debit credit indicator|cdtdbtind|d/c|dc|c/d|dr/cr|cr/dr|sens|' +
      'richting|plus/minus|vorzeichen|zeichen|strona',
  ),
  fee: [],
  state: [],
  currency: split(
    'payment currency|wahrung|waehrung|whg|currency|moeda|divisa|munt|munteenheid|devies|devise|valutacode|valuta rekening|valuta/currency|waluta|mena|valuutta|valuta',
  ),
  ownAccount: split(
    'iban auftragskonto|auftragskonto|eigenes konto|eigene iban|own account|source account|cuenta propia|conta propria|compte interne',
  ),
  name: split(
    'empfanger/zahlungspflichtiger|name/description|name zahlungsbeteiligter|zahlungsbeteiligter|beguenstigter/zahlungspflichtiger|begunstigter/zahlungspflichtiger|beguenstigter/auftraggeber|' +
      'begunstigter/auftraggeber|auftraggeber/empfanger|auftraggeber/empfaenger|auftraggeber/beguenstigter|auftraggeber/begunstigter|' +
      'auftraggeber|zahlungspflichtige r|zahlungspflichtiger|name des partners|partnername|partner name|name gegenkonto|empfanger/auftraggeber|' +
      'empfaenger/auftraggeber|zahler|payer name|payer|sender name|sender|counterparty name|counterparty|counter party|payee/payer|' +
      'nom de la contrepartie|contrepartie|emetteur|donneur d ordre|tiers|ordenante|remitente|contraparte|nombre|nome do ordenante|nome|remetente|' +
      'ordinante|controparte|naam tegenpartij|naam tegenpartij bevat|naam van de tegenpartij|tegenrekeninghouder|naam/omschrijving|tegenpartij|naam|nazwa nadawcy|' +
      'nadawca/odbiorca|dane kontrahenta|kontrahent|nadawca|name|nom|merchant|afsender|avsandare|avsender|maksaja/saaja|saaja/maksaja|maksaja|nazev protiuctu|nazov protiuctu|empfanger|empfaenger',
  ),
  iban: split(
    'iban zahlungsbeteiligter|gegenkonto iban|iban gegenkonto|gegenkonto|kontonummer/iban|iban/kontonummer|partner iban|iban des partners|' +
      'kontonummer des zahlungsbeteiligten|payer iban|payer account number|payer account|sender account number|sender account|sender iban|counterparty account|' +
      'counterparty iban|iban de la contrepartie|compte de la contrepartie|compte contrepartie|iban emetteur|cuenta ordenante|cuenta de origen|cuenta origen|' +
      'iban ordenante|conta ordenante|conta de origem|conta origem|conta contraparte|iban ordinante|iban controparte|conto controparte|conto ordinante|' +
      'tegenrekening iban/bban|tegenrekeningnummer|tegenrekening|rekeningnummer tegenpartij|rekening tegenpartij|rachunek nadawcy|rachunek zrodlowy|' +
      'rachunek kontrahenta|nr rachunku kontrahenta|numer rachunku kontrahenta|numer konta nadawcy|modkonto|motkonto|fra konto|maksajan tili|vastatili|protiucet|cislo protiuctu',
  ),
  remittance: split(
    'verwendungszweck|zahlungszweck|zahlungsgrund|zweck|libelle operation|libelle|payment reference|payment details|' +
      'remittance information|remittance|reference|description|description1|transaction description|narrative|communication|mitteilung|zahlungsreferenz|avisierungstext|beschreibung1|beschreibung|' +
      'descricao|descritivo|historico|concepto|descripcion|vrije mededeling|omschrijving|mededelingen|notifications|mededeling|label|motif|' +
      'descrizione estesa|descrizione|causale|tytulem|tytul|opis transakcji|opis operacji|opis|details|tekst|vorgang/verwendungszweck|meddelande|beskrivning|meddelelse|melding|forklaring|viesti|selitys|zprava pro prijemce|zprava|dettagli|operazione|aciklama',
  ),
  moreRemittance: [],
  endToEnd: split(
    'kundenreferenz|end to end referenz|end to end reference|end to end id|end to end|ende zu ende referenz|betalingskenmerk|' +
      'gestructureerde mededeling|reference client|referencia del cliente|referencia 1|referencia cliente|riferimento cliente|kid|viite|viitenumero|variabilni symbol|vs',
  ),
  bankReference: split(
    'transaction id|transferwise id|referenz der bank|bankreferenz|bank reference|zkb referenz|buchungsreferenz|transaktions nr|transaktionsnummer|' +
      'n movimento|numero de movimiento|transactiereferentie|transactienummer|numer referencyjny|arkistointitunnus|arkivreferanse|id operace|id pohybu|nr transakcji|referenz|id',
  ),
  balance: split(
    'saldo nach buchung|saldo|balance|running balance|running bal|resulting balance|saldo contabilistico|solde|kontostand|saldo na|endsaldo|bokfort saldo|zustatek|bakiye|accountbalance',
  ),
}

/** What headings mean, by column. */
export const sureWords: Record<CsvColumn, string[]> = { ...europeanWords }
for (const name of csvColumns) sureWords[name] = [...europeanWords[name], ...(asianWords[name] ?? [])]

/** Amounts from which the fee is already taken. */
export const netWords: string[] = split('net|netto|net amount|total amount')

/** Fees beside the amount, which may be a part of it or come on top. */
export const feeWords: string[] = split(
  'fee|fees|fee amount|gebuhr|gebuhren|entgelt|entgelte|commission|commissions|frais|commissione|commissioni|comision|comisiones|comissao|comissoes|' +
    'kosten|provisie|prowizja|oplata|gebyr|avgift|poplatek|charge|charges',
)

/** Whether a row is booked. */
export const stateWords: string[] = split(
  'status|state|transaction status|booking status|payment status|buchungsstatus|stato|estado|statut|etat|tilstand|stan|stav|status transakcji|contabilizzazione',
)

/** Numbers of an account, ours or the payer's: only the rows tell which. */
export const accountWords: string[] = [
  ...asianAccountWords,
  ...split(
    'counterparty|tegenpartij|contrepartie|contraparte|controparte|kontrahent|auftraggeberkonto|iban auftraggeberkonto|iban/bban|iban|kontonummer|konto nr|kontonr|konto|account number|account no|accountnumber|accountnum|account|' +
      'numero de compte|compte|numero de cuenta|cuenta|numero da conta|conta|numero conto|numero di conto|conto|rekeningnummer|rekening|' +
      'numer rachunku|nr rachunku|rachunek|numer konta|nr konta',
  ),
]

/** Texts that are what the payer wrote where no other column is, and else the kind of booking or a remark. */
export const textWords: string[] = [
  ...split(
    'buchungstext|buchungs details|buchungsdetails|text|beschreibung2|beschreibung3|zusatz|zusatzinformation|info|bemerkung|memo|note|notes|' +
      'additional information|informations complementaires|libelle simplifie|detail de l ecriture|comment|concepto ampliado|observaciones|' +
      'observacoes|bericht|detail van de omzet|omschrijving 2|omschrijving 3|szczegoly|vorgang|uwagi',
  ),
  ...asianTextWords,
]

/** What no line needs, and no one has to be asked about. */
export const unreadWords: string[] = [
  ...asianUnreadWords,
  ...split(
    'bic|swift|bankleitzahl|blz|bankname|bank|sort code|umsatzart|umsatztyp|transaktionsart|bewegungstyp|mutatiesoort|mutationcode|code|kategorie|' +
      'category|categories|categorie|etiket|canale|afstemt|categoryparent|categoria|kategoria|spending category|subcategory|sous categorie|transaction type|type|typ|tipo|status|state|' +
      'mandatsreferenz|mandaatkenmerk|machtigingskenmerk|machtigingsnummer|glaubiger id|glaeubiger id|incassant id|sammlerreferenz|' +
      'bezeichnung auftragskonto|account name|account label|accountlabel|zahlungsempfanger|zahlungsempfaenger|zahlungsempfanger in|payee|' +
      'beneficiary|beneficiario|beneficiaire|begunstigter|beguenstigter|odbiorca|nazwa odbiorcy|rachunek odbiorcy|rachunek docelowy|' +
      'adres|adres nadawcy|adres odbiorcy|adres nadawcy/odbiorcy|straat en nummer|postcode en plaats|landcode|country|tag|' +
      'lastschrift ursprungsbetrag|auslagenersatz|fremde gebuhren|original amount|original currency|exchange rate|' +
      'naam uiteindelijke partij|naam initierende partij|bic tegenpartij|nazwa banku|gekennzeichneter umsatz|volgnr|volgnummer|' +
      'afschriftnummer|rekeninguittrekselnummer|rubrieknaam|naam van de rekening|fussnoten|card number|typ operacji|typ transakcji',
  ),
]
