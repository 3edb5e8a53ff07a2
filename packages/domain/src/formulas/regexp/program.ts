import { limits } from '../../limits.ts'
import type { CharacterSet } from './character-set.ts'
import { parsePattern } from './parse-pattern.ts'
import {
  type Assertion,
  type GroupRange,
  type PatternNode,
  type RepeatNode,
  UnfitPattern,
} from './pattern.ts'

/** Goes on at the next instruction unless it says otherwise. */
export type Instruction =
  | { readonly kind: 'characters'; readonly set: CharacterSet }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  /** Remembers the place; groups have two slots each, group 0 is the whole match. */
  | { readonly kind: 'save'; readonly slot: number }
  /** Forgets the groups. */
  | { readonly kind: 'forget'; readonly groups: GroupRange }
  /** Goes on at both; what the first leads to is preferred. */
  | { kind: 'fork'; first: number; second: number }
  | { kind: 'jump'; target: number }
  | { readonly kind: 'match' }

/** A pattern made ready for searching. */
export interface Program {
  readonly instructions: readonly Instruction[]
  readonly groupCount: number
}

/** Makes a pattern ready for searching, or says why it can't be. */
export function compilePattern(source: string): Program | UnfitPattern {
  const pattern = parsePattern(source)
  if (pattern instanceof UnfitPattern) return pattern
  try {
    const emitter = new Emitter()
    emitter.emitGroup(0, pattern.node)
    emitter.emit({ kind: 'match' })
    return { instructions: emitter.instructions, groupCount: pattern.groupCount }
  } catch (error) {
    if (error instanceof UnfitPattern) return error
    throw error
  }
}

const tooMuch = 'the pattern is too long, or repeats too much'

class Emitter {
  readonly instructions: Instruction[] = []
  #rounds = 0

  emit<I extends Instruction>(instruction: I): I {
    if (this.instructions.length >= limits.patternInstructions) {
      throw new UnfitPattern(tooMuch)
    }
    this.instructions.push(instruction)
    return instruction
  }

  get #next(): number {
    return this.instructions.length
  }

  emitGroup(index: number, inner: PatternNode): void {
    this.emit({ kind: 'save', slot: index * 2 })
    this.#emitNode(inner)
    this.emit({ kind: 'save', slot: index * 2 + 1 })
  }

  #emitNode(node: PatternNode): void {
    switch (node.kind) {
      case 'characters':
      case 'assertion':
        this.emit(node)
        break
      case 'group':
        this.emitGroup(node.index, node.inner)
        break
      case 'sequence':
        for (const item of node.items) this.#emitNode(item)
        break
      case 'choice':
        this.#emitChoice(node.options)
        break
      case 'repeat':
        this.#emitRepeat(node)
    }
  }

  #emitChoice(options: readonly PatternNode[]): void {
    const exits: Extract<Instruction, { kind: 'jump' }>[] = []
    options.forEach((option, index) => {
      if (index === options.length - 1) {
        this.#emitNode(option)
        return
      }
      const fork = this.emit({ kind: 'fork', first: this.#next + 1, second: 0 })
      this.#emitNode(option)
      exits.push(this.emit({ kind: 'jump', target: 0 }))
      fork.second = this.#next
    })
    for (const exit of exits) exit.target = this.#next
  }

  /** x{2,4} becomes xx(x(x)?)?, x{2,} becomes xxx*. */
  #emitRepeat(node: RepeatNode): void {
    for (let round = 0; round < node.min; round++) this.#emitRound(node)
    if (node.max === Number.POSITIVE_INFINITY) {
      const fork = this.#emitFork()
      this.#emitRound(node)
      this.emit({ kind: 'jump', target: this.instructions.indexOf(fork) })
      this.#leave(fork, node.isLazy)
      return
    }
    const forks: Fork[] = []
    for (let round = node.min; round < node.max; round++) {
      forks.push(this.#emitFork())
      this.#emitRound(node)
    }
    for (const fork of forks) this.#leave(fork, node.isLazy)
  }

  /** A round may emit nothing, so rounds are counted too. */
  #emitRound({ inner, groups }: RepeatNode): void {
    this.#rounds++
    if (this.#rounds > limits.patternInstructions) throw new UnfitPattern(tooMuch)
    if (groups[1] > groups[0]) this.emit({ kind: 'forget', groups })
    this.#emitNode(inner)
  }

  #emitFork(): Fork {
    const next = this.#next + 1
    return this.emit({ kind: 'fork', first: next, second: next })
  }

  /** Lets a fork into a round lead past all rounds too: rather, when lazy. */
  #leave(fork: Fork, isLazy: boolean): void {
    if (isLazy) fork.first = this.#next
    else fork.second = this.#next
  }
}

type Fork = Extract<Instruction, { kind: 'fork' }>
