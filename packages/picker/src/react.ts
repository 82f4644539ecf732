import { type CSSProperties, createElement, type ReactElement, useEffect, useRef } from 'react';
import type { GifPickerAttributes } from './attributes.ts';
import './index.ts';
import type { GifPick } from './pick.ts';
import type { GifPicker as Element } from './picker.ts';
import type { Topic } from './topics.ts';

export interface GifPickerProps extends GifPickerAttributes {
  /** Called when the user picks a GIF. */
  onPick: (pick: GifPick) => void;
  /** Called when the user closes the picker. */
  onClose?: (() => void) | undefined;
  /** Focuses the search field when the picker appears. */
  autoFocus?: boolean | undefined;
  className?: string | undefined;
  style?: CSSProperties | undefined;
}

/** `<gif-picker>` for React 17 and later. On a server, this component renders an empty element. */
export function GifPicker({
  onPick,
  onClose,
  autoFocus = false,
  topics,
  client,
  className,
  ...attributes
}: GifPickerProps): ReactElement {
  const element = useRef<Element>(null);
  useEffect(() => {
    const picker = element.current;
    const pick = (event: Event) => onPick((event as CustomEvent<GifPick>).detail);
    const close = () => onClose?.();
    picker?.addEventListener('gif-pick', pick);
    picker?.addEventListener('gif-close', close);
    return () => {
      picker?.removeEventListener('gif-pick', pick);
      picker?.removeEventListener('gif-close', close);
    };
  }, [onPick, onClose]);
  useEffect(() => {
    if (autoFocus) element.current?.focus();
  }, [autoFocus]);
  // Before version 19, React could only set attributes of custom elements, not properties.
  const ref = (picker: Element | null) => {
    element.current = picker;
    if (picker !== null) Object.assign(picker, { topics, client });
  };
  return createElement('gif-picker', { ...attributes, class: className, ref });
}

export type { GifPick, Topic };
