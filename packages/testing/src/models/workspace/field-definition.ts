import type { FieldInput } from '@gateleg/domain/fields/operations/definition/field-input'
import { toSentFilter } from '../values/model-filter.ts'
import { printed } from '../values/model-formula.ts'
import type { ModelSnapshot } from './model-snapshot.ts'
import {
  type LinkContent,
  linkOf,
  type ModelContent,
  type ModelTable,
  type Reading,
  type ShownContent,
} from './workspace-model.ts'

/** The choices of every select field of the model. */
export const modelChoices = ['red', 'green, dark', 'blue']

/** What the product is told to make the content of. */
export function definitionOf(
  snapshot: ModelSnapshot,
  table: ModelTable,
  content: ModelContent,
): FieldInput {
  switch (content.kind) {
    case 'text':
      return { type: 'singleLineText' }
    case 'checkbox':
      return { type: 'checkbox' }
    case 'select':
      return {
        type: 'singleSelect',
        options: { choices: modelChoices.map((name) => ({ name })) },
      }
    case 'number': {
      const { precision } = content
      return { type: 'number', options: { formatting: { type: 'decimal', precision } } }
    }
    case 'link':
      return { type: 'link', options: linkOptions(table, content) }
    case 'lookup':
      return {
        type: typeName(snapshot.shownBy(content)),
        isLookup: true,
        ...lookupOptions(content),
      }
    case 'rollup': {
      const options = { expression: `${content.summary}({values})` as const }
      return { type: 'rollup', options, ...lookupOptions(content) }
    }
    case 'formula':
      return {
        type: 'formula',
        options: { expression: printed(content.formula, ({ id }) => id) },
      }
  }
}

function linkOptions(table: ModelTable, { foreign, ...content }: LinkContent) {
  const { relationship, isOneWay, titles } = content
  return {
    relationship,
    foreignTableId: foreign.id,
    isOneWay,
    ...(titles && { lookupFieldId: titles.id }),
    ...(foreign.baseId !== table.baseId && { baseId: foreign.baseId }),
  }
}

function lookupOptions({ link, source, filter }: Reading) {
  const lookupOptions = {
    foreignTableId: linkOf(link).foreign.id,
    linkFieldId: link.id,
    lookupFieldId: source.id,
    ...(filter && { filter: toSentFilter(filter) }),
  }
  return { lookupOptions }
}

/** The type by which the product calls what cells show. */
export function typeName({ kind }: ShownContent): (typeof typeNames)[keyof typeof typeNames] {
  return typeNames[kind]
}

const typeNames = {
  text: 'singleLineText',
  number: 'number',
  checkbox: 'checkbox',
  select: 'singleSelect',
  link: 'link',
  rollup: 'rollup',
  formula: 'formula',
} as const
