/** Words that a stranger reads twice, with what to write in their place. `test/rules.test.ts` refuses them in every text. */
export const avoidedWords: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\banew\b/i, 'again'],
  [/\bwhoever\b/i, 'anyone who, no matter who'],
  [/\bwhat became of\b/i, 'the outcome of'],
  [/(?<!there )\b(?:is|was) none\b(?! left| yet| waiting| there)/i, 'is not one'],
  [
    /(?<!there )(?<!there really )\b(?:is|was) no (?!longer|more|such|matter|way|need|use|room|other|sooner|less|time|different|better|worse|point|end|one)[a-z]/i,
    'is not a',
  ],
]
