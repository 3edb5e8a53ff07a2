/** Maxima of the fields of a table, their options and formulas: a part of `limits`. */
export const fieldLimits = {
  fieldsPerTable: 500,
  /** Fields of a base, and at the other ends, that one diagram tells of: more than anybody finds their way in. */
  fieldsPerDiagram: 10_000,
  /**
   * Physical columns of a table up to which fields are added: those of deleted fields too, and those that
   * no field has any more. PostgreSQL can't hold more than 1,600 in the lifetime of a table.
   */
  columnsPerTable: 1_500,
  /** Physical columns of a table up to which conversions add one where they find none to use again. */
  columnsWithRetired: 1_580,
  /**
   * Physical columns of a table, and such of them as are empty and of no field, from which on it is rebuilt in the background:
   * fewer leave room to add some. And how many there are of each type then, where empty ones are given other types and there
   * are enough.
   */
  columnsOfWornTable: 1_200,
  columnsEmptyOfWornTable: 150,
  emptyColumnsOfType: 20,
  /**
   * Records that were changed since they were copied, which are copied again at once: where there are fewer, the copy takes the
   * place of its table, for which writers of that wait.
   */
  recordsCopiedAgain: 1_000,
  choicesPerSelect: 1_000,
  /**
   * Characters of the options and descriptions of all fields of a table together, as JSON: they are read,
   * held and answered whole. Some six selects of a thousand choices with long names.
   */
  tableOptionsLength: 1_000_000,
  /** Members of the options of a field, as sent; no type has half as many. */
  fieldOptions: 100,
  /** Characters of the id of a choice, where the client chose it. */
  choiceIdLength: 32,
  /** Characters of the default of a text field: fits into a cell, unless JSON writes most of them as escapes. */
  defaultTextLength: 65_536,
  /** Characters of a currency symbol; the longest in use have four or five. */
  currencySymbolLength: 10,
  /** Decimals that numbers are shown with. */
  numberPrecision: 5,
  ratingMax: 10,
  /** Characters of the name of a time zone; the longest there is has 32. */
  timeZoneLength: 64,
  /** Time zones that are kept prepared; there are some 600 names. */
  timeZonesKept: 1_000,
  /** Days per time zone whose offset is remembered: a century, in about two megabytes. */
  zoneDaysKept: 36_525,
  /** Characters of a formula. */
  formulaLength: 8_192,
  /** Characters of a formula in which fields are named: names can be longer than ids. */
  shownFormulaLength: 81_920,
  /** Nesting of a formula (brackets, calls, signs); keeps recursive code far from the end of the stack. */
  formulaDepth: 200,
  /**
   * Steps that one evaluation of a formula may take: each part of it, and each character or list item that
   * it goes through or makes, is one; what is harder work (a date that is read, a number that is written, a
   * step of a pattern search) is several. Some 10 ns each; enough to search a cell of the greatest size.
   */
  formulaSteps: 4_000_000,
  /** Characters of a search pattern; its classes can be longer than its instructions tell. */
  patternLength: 2_000,
  /** Instructions of a compiled search pattern; together with the text's length it bounds a search. */
  patternInstructions: 1_000,
  /** Groups within groups of a search pattern; see formulaDepth. */
  patternDepth: 50,
  /** Workdays to add to a date; more than the years 1 to 9999 have. */
  workdays: 3_000_000,
  /** Characters of the text that says how a date is written. */
  dateFormatLength: 256,
} as const
