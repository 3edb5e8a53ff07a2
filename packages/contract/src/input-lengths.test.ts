import { fieldTypes } from '@gateleg/domain/fields/field-types'
import { useCases } from '@gateleg/domain/use-cases'
import { sentObject } from '@gateleg/domain/values/sent-object'
import { expect, test } from 'vitest'
import { z } from 'zod'

interface Found {
  readonly path: string
  readonly problem: string
}

/** What zod keeps of a schema, as far as the walk needs it. */
interface Definition {
  readonly type: string
  readonly checks?: readonly { readonly _zod: { readonly def: CheckDefinition } }[]
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly element?: z.ZodType
  /** Of a tuple, whose length is looked at before its items. */
  readonly items?: readonly z.ZodType[]
  readonly rest?: z.ZodType | null
  readonly innerType?: z.ZodType
  readonly options?: readonly z.ZodType[]
  /** Of a record. */
  readonly keyType?: z.ZodType
  readonly valueType?: z.ZodType
  readonly in?: z.ZodType
  readonly out?: z.ZodType
  readonly getter?: () => z.ZodType
  /** Of a schema that is a format itself, such as `z.email()`: it is looked at before any check. */
  readonly format?: string
}

interface CheckDefinition {
  readonly check: string
  readonly maximum?: number
  readonly abort?: boolean
}

/** Kinds of schemas whose values are of a size by themselves. */
const bounded = new Set(['boolean', 'number', 'enum', 'literal', 'undefined', 'null', 'void'])

/** Every place of a schema where a value of any size could come to be looked at. */
function findUnbounded(schema: z.ZodType, path: string, seen: Set<z.ZodType>): Found[] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const def = schema._zod.def as unknown as Definition
  const into = (inner: z.ZodType, name = '') => findUnbounded(inner, `${path}${name}`, seen)
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape ?? {}).flatMap(([name, inner]) => into(inner, `.${name}`))
    case 'array': {
      const isLimited = def.checks?.some(({ _zod }) => _zod.def.check === 'max_length')
      const problems = isLimited ? [] : [{ path, problem: 'is a list of any length' }]
      return [...problems, ...into(def.element as z.ZodType, '[]')]
    }
    case 'tuple': {
      const problems = def.rest ? [{ path, problem: 'is a tuple of any length' }] : []
      return [...problems, ...(def.items ?? []).flatMap((item) => into(item, '[]'))]
    }
    case 'string': {
      const first = def.checks?.[0]?._zod.def
      const isFirst = first?.check === 'max_length' && first.abort === true && !def.format
      return isFirst ? [] : [{ path, problem: 'is looked at before its length' }]
    }
    case 'union':
      return (def.options ?? []).flatMap((option) => into(option))
    case 'pipe': {
      const out = def.out?._zod.def as unknown as Definition | undefined
      // The members of a record were counted, if what comes before it counts by itself.
      const isCounted = def.in?._zod.def.type === 'custom' && out?.type === 'record'
      const parts = isCounted ? [out.keyType, out.valueType] : [def.in, def.out]
      return parts.flatMap((part) => (part ? into(part) : []))
    }
    case 'lazy':
      return def.getter ? into(def.getter()) : []
    // Not looked at, or counting by itself.
    case 'transform':
    case 'unknown':
    case 'custom':
      return []
    default:
      if (def.innerType) return into(def.innerType)
      return bounded.has(def.type) ? [] : [{ path, problem: `is a ${def.type}, of any size` }]
  }
}

test('[CONTRACT-9] counts every text and list of an input before anything else looks at it', () => {
  const found = Object.entries(useCases).flatMap(([feature, byName]) =>
    Object.entries(byName).flatMap(([name, { input }]) =>
      findUnbounded(input, `${feature}.${name}`, new Set()),
    ),
  )
  expect(found).toEqual([])
})

test('[CONTRACT-9] counts every text and list of the options of a field likewise', () => {
  const found = [...fieldTypes].flatMap(([name, { options }]) =>
    findUnbounded(options, name, new Set()),
  )
  expect(found).toEqual([])
})

test('[CONTRACT-9] finds what has no limit, and what has one too late', () => {
  const schema = z.object({
    good: z.string().max(5, { abort: true }).trim(),
    any: z.string(),
    late: z.string().trim().max(5, { abort: true }),
    going: z.string().max(5).regex(/x/),
    format: z.email().max(5, { abort: true }).optional(),
    lists: z.union([z.array(z.int()), z.null()]),
    members: z.record(z.string(), z.int()),
    counted: sentObject(3).pipe(z.record(z.string().max(5, { abort: true }), z.int())),
    inCounted: sentObject(3).pipe(z.record(z.string().max(5, { abort: true }), z.string())),
  })
  expect(findUnbounded(schema, '', new Set()).map(({ path }) => path)).toEqual([
    '.any',
    '.late',
    '.going',
    '.format',
    '.lists',
    '.members',
    '.inCounted',
  ])
})
