import type { UseCase } from '@gateleg/domain/use-case'
import { useCases } from '@gateleg/domain/use-cases'

/** All use cases, each with its name as `feature.name`. */
export function allUseCases(): readonly (readonly [name: string, useCase: UseCase])[] {
  return Object.entries(useCases).flatMap(([feature, byName]) =>
    Object.entries(byName).map(
      ([name, useCase]) => [`${feature}.${name}`, useCase as UseCase] as const,
    ),
  )
}
