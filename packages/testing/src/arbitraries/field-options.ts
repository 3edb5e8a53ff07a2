import { colors } from '@gateleg/domain/fields/cells/color'
import type { FieldTypeName } from '@gateleg/domain/fields/field-type-name'
import { datePresets, timePresets } from '@gateleg/domain/values/dates/date-formatting'
import fc from 'fast-check'
import { storableText } from './text.ts'

/** What there is to know about a field type in order to make fields and cells of it. */
export interface FieldArbitrary {
  /** Options as a caller may send them. */
  readonly options: fc.Arbitrary<object>
  /** Cells as a caller may send them to a field with the options, which are parsed; null among them. */
  readonly json: (options: unknown) => fc.Arbitrary<unknown>
}

/** The names, by id, of the users that the cells name. */
export const userNamesById = {
  usrAda: 'Ada',
  usrLovelace: 'Lovelace, Ada',
  usrAnotherAda: 'Ada',
  usrSmallAda: 'ada',
  usrQuote: '"Q"',
  usrSurrogate: '😀',
}

const userId = fc.constantFrom(...Object.keys(userNamesById))

/** A moment of the years 1 to 9999, in the form in which it is answered. */
export const timestamp = fc
  .date({
    min: new Date('0001-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString())

export const timeZoneName = fc.constantFrom('UTC', ...Intl.supportedValuesOf('timeZone'))

export const dateFormatting = optional({
  date: fc.constantFrom(...datePresets),
  time: fc.constantFrom(...timePresets),
  timeZone: timeZoneName,
})

const precision = fc.integer({ min: 0, max: 5 })

export const numberFormatting = fc.oneof(
  optional({ precision }).map((rest) => ({ type: 'decimal', ...rest })),
  optional({ precision }).map((rest) => ({ type: 'percent', ...rest })),
  fc.record({ type: fc.constant('currency'), precision, symbol: storableText(5) }),
)

export const finiteNumber = fc.double({ noNaN: true, noDefaultInfinity: true })

const color = fc.constantFrom(...colors)
export const textShowAs = fc.record({ type: fc.constantFrom('url', 'email', 'phone') })
export const numberShowAs = fc.record({
  type: fc.constantFrom('bar', 'ring'),
  color,
  showValue: fc.boolean(),
  maxValue: finiteNumber,
})
const trackedFieldIds = fc
  .uniqueArray(fc.stringMatching(/^[0-9a-zA-Z]{16}$/), { maxLength: 4 })
  .map((ids) => ids.map((id) => `fld${id}`))

/** Names that choices may have together; commas, quotes and odd characters among them. */
export const choiceNames = fc.uniqueArray(
  fc
    .oneof(storableText(), fc.string({ unit: fc.constantFrom('a', 'B', ',', '"', ' ') }))
    .map((text) => text.trim().slice(0, 100).trim() || 'x')
    .filter((name) => name.isWellFormed()),
  { maxLength: 20 },
)

/** Options of a select without a default. */
const selectOptions = choiceNames.chain((names) =>
  optional({
    choices: fc.tuple(
      ...names.map((name, index) =>
        optional({ id: fc.constant(`choice${index}`), color }).map((rest) => ({ name, ...rest })),
      ),
    ),
    preventAutoNewOptions: fc.boolean(),
  }),
)

function namesOf(options: { choices?: readonly { name: string }[] }): string[] {
  return (options.choices ?? []).map(({ name }) => name)
}

function withDefault<Options extends object>(
  options: Options,
  defaultValue: fc.Arbitrary<unknown>,
): fc.Arbitrary<object> {
  return optional({ defaultValue }).map((rest) => ({ ...options, ...rest }))
}

/** An object with any of the members. */
export function optional<T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return fc.record<T, never>(members, { requiredKeys: [] })
}

function orNull(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.option(value, { nil: null, freq: 10 })
}

/** Gives the options their type while the arbitrary is written, and erases it for the table. */
export function fieldArbitrary<Options>(arbitrary: {
  readonly options: fc.Arbitrary<object>
  readonly json: (options: Options) => fc.Arbitrary<unknown>
}): FieldArbitrary {
  return { ...arbitrary, json: (options) => orNull(arbitrary.json(options as Options)) }
}

const textField = fieldArbitrary({
  options: optional({ showAs: textShowAs, defaultValue: storableText() }),
  json: () => storableText(),
})

const dateJson = (): fc.Arbitrary<string> =>
  fc.oneof(
    timestamp,
    fc
      .date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
      .chain((date) =>
        fc.constantFrom(
          date.toISOString().slice(0, 10),
          date.toISOString().slice(0, 16),
          `${date.toISOString().slice(0, 19)}+05:30`,
        ),
      ),
  )

const userReference = fc.oneof(userId, fc.record({ id: userId, title: fc.string() }))
const defaultUser = fc.oneof(fc.constant('me'), userId)

/** How to make fields and cells of each type that leans on nothing else than people. */
export const fieldArbitraries = {
  singleLineText: textField,
  longText: textField,
  user: fieldArbitrary<{ isMultiple: boolean }>({
    options: fc.oneof(
      optional({
        isMultiple: fc.boolean(),
        shouldNotify: fc.boolean(),
        defaultValue: defaultUser,
      }),
      fc.record({ isMultiple: fc.constant(true), defaultValue: fc.uniqueArray(defaultUser) }),
    ),
    json: ({ isMultiple }) =>
      isMultiple
        ? fc.uniqueArray(userReference, {
            selector: (user) => (typeof user === 'string' ? user : user.id),
          })
        : userReference,
  }),
  checkbox: fieldArbitrary({
    options: optional({ defaultValue: fc.boolean() }),
    json: () => fc.boolean(),
  }),
  multipleSelect: fieldArbitrary<{ choices: { name: string }[] }>({
    options: selectOptions.chain((options) => {
      const some = fc.shuffledSubarray(namesOf(options))
      return withDefault(
        options,
        some.chain((names) => fc.constantFrom(names, names[0] ?? names)),
      )
    }),
    json: (options) => fc.shuffledSubarray(namesOf(options)),
  }),
  singleSelect: fieldArbitrary<{ choices: { name: string }[] }>({
    options: selectOptions.chain((options) => {
      const names = namesOf(options)
      return names.length === 0
        ? fc.constant(options)
        : withDefault(options, fc.constantFrom(...names))
    }),
    json: (options) => fc.constantFrom(null, ...namesOf(options)),
  }),
  date: fieldArbitrary({
    options: optional({ formatting: dateFormatting, defaultValue: fc.constant('now') }),
    json: dateJson,
  }),
  number: fieldArbitrary({
    options: optional({
      formatting: numberFormatting,
      showAs: numberShowAs,
      defaultValue: finiteNumber,
    }),
    json: () => fc.oneof(finiteNumber, fc.integer()),
  }),
  rating: fieldArbitrary<{ max: number }>({
    options: optional({
      icon: fc.constantFrom('star', 'moon', 'sun', 'zap', 'flame', 'heart', 'apple', 'thumb-up'),
      color: fc.constantFrom('yellowBright', 'redBright', 'tealBright'),
      max: fc.integer({ min: 1, max: 10 }),
    }),
    json: ({ max }) => fc.integer({ min: 1, max }),
  }),
  createdTime: fieldArbitrary({
    options: optional({
      expression: fc.constant('CREATED_TIME()'),
      formatting: dateFormatting,
    }),
    json: dateJson,
  }),
  lastModifiedTime: fieldArbitrary({
    options: optional({
      expression: fc.constant('LAST_MODIFIED_TIME()'),
      formatting: dateFormatting,
      trackedFieldIds,
    }),
    json: dateJson,
  }),
  createdBy: fieldArbitrary({ options: fc.constant({}), json: () => userReference }),
  lastModifiedBy: fieldArbitrary({
    options: optional({ trackedFieldIds }),
    json: () => userReference,
  }),
  autoNumber: fieldArbitrary({
    options: optional({ expression: fc.constant('AUTO_NUMBER()') }),
    json: () => fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  }),
  button: fieldArbitrary({
    options: optional({
      label: storableText().map((text) => `Press ${text}`),
      color,
      maxCount: fc.integer({ min: 1 }),
      resetCount: fc.boolean(),
      workflow: fc.record({ id: fc.constant('wfl0000000000000001') }),
      confirm: optional({
        title: storableText(),
        description: storableText(),
        confirmText: storableText(),
      }),
    }),
    json: () => fc.record({ count: fc.nat() }),
  }),
} satisfies Partial<Record<FieldTypeName, FieldArbitrary>>
