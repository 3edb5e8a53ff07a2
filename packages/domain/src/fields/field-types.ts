import type { FieldType } from './field-type.ts'
import type { FieldTypeName } from './field-type-name.ts'
import { attachment } from './types/attachment.ts'
import { autoNumber } from './types/auto-number.ts'
import { button } from './types/button.ts'
import { checkbox } from './types/checkbox.ts'
import { createdBy } from './types/created-by.ts'
import { createdTime } from './types/created-time.ts'
import { date } from './types/date.ts'
import { formula } from './types/formula.ts'
import { lastModifiedBy } from './types/last-modified-by.ts'
import { lastModifiedTime } from './types/last-modified-time.ts'
import { link } from './types/link.ts'
import { longText } from './types/long-text.ts'
import { multipleSelect } from './types/multiple-select.ts'
import { number } from './types/number.ts'
import { rating } from './types/rating.ts'
import { rollup } from './types/rollup.ts'
import { singleLineText } from './types/single-line-text.ts'
import { singleSelect } from './types/single-select.ts'
import { user } from './types/user.ts'

/** The field types there are. Adding one is its file, a line here, and a run of the contract suite. */
const registered = [
  singleLineText,
  longText,
  user,
  attachment,
  checkbox,
  multipleSelect,
  singleSelect,
  date,
  number,
  rating,
  formula,
  rollup,
  link,
  createdTime,
  lastModifiedTime,
  createdBy,
  lastModifiedBy,
  autoNumber,
  button,
] as const

/** Any of the field types, with its name and its options. */
export type RegisteredFieldType = (typeof registered)[number]

/** The field types by name. */
export const fieldTypes: ReadonlyMap<FieldTypeName, FieldType> = new Map(
  registered.map((type) => [type.name, type]),
)
