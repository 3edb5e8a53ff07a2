import type { Operation } from '@gateleg/contract/operation'
import type { CallOptions } from '@gateleg/domain/calls/call-options'
import { limits } from '@gateleg/domain/limits'

/** Options that tell a call how long its answer may be. */
export type AnswerOptions = Pick<CallOptions, 'answerLength' | 'mayEndSooner'>

/** How much of the budget for answers a request needs. */
export interface AnswerNeed {
  /** With what it is tried first, as most need no more: bytes of the budget, and the length that a call is told. */
  readonly likely?: { readonly bytes: number; readonly length: number }
  /** The bytes that it needs at most. */
  readonly most: number
  /** Whether it may answer less than was asked for. */
  readonly mayBeFewer: boolean
  /** Whether what it is tried with may well be too little, so that it is not tried where all of it is free. */
  readonly isUnsure: boolean
}

/** Estimates the need of an input: for a list by the records that it asks for, for a write by those that it sends. */
export function needOf(
  { useCase, method }: Operation,
  input: Record<string, unknown>,
  bodyLength: number,
): AnswerNeed {
  const mayBeFewer = useCase.kind === 'read' && useCase.endsAtLength === true
  if (mayBeFewer) return needOfList(input)
  if (!useCase.endsAtLength) return { most: limits.answerBytes, mayBeFewer, isUnsure: false }
  const count = Array.isArray(input.records) ? input.records.length : 1
  const ofRecords = count * limits.answerBytesPerWritten
  const bytes = limits.answerBytesOfWrite + ofRecords + bodyLength * bytesPerCharacter
  return {
    ...(bytes < limits.answerBytes && { likely: { bytes, length: bytes } }),
    most: limits.answerBytes,
    mayBeFewer,
    // A change answers the whole of a record of which it names one cell.
    isUnsure: method === 'PATCH',
  }
}

/** Bytes of an answer for each character of what was sent: as many as most texts take, and their names. */
const bytesPerCharacter = 2

/** Records whose cells fit into what is read at a time, whatever they are: it is said beforehand what they need. */
const fewRecords = limits.recordsLength / limits.recordBytes

function needOfList({ take }: Record<string, unknown>): AnswerNeed {
  const count = typeof take === 'number' ? Math.max(1, take) : fewRecords + 1
  const most =
    typeof take === 'number'
      ? Math.min(limits.answerBytes, count * limits.answerBytesPerRecord)
      : limits.answerBytes
  const bytes = limits.tentativeAnswerBytes
  return {
    ...(count > fewRecords && { likely: { bytes, length: bytes } }),
    most,
    mayBeFewer: true,
    isUnsure: true,
  }
}
