import { type Gif, withGif } from '@zoetrope/client';
import { type GifPick, GifPicker } from '@zoetrope/picker/react';
import { type FormEvent, useRef, useState } from 'react';
import { noteOf, type UnsignedNote } from './note.ts';

const SERVICE = import.meta.env['VITE_GIF_SERVICE'] ?? 'http://127.0.0.1:8080';

export function Composer() {
  const field = useRef<HTMLTextAreaElement>(null);
  const [content, setContent] = useState('');
  const [picked, setPicked] = useState<readonly Gif[]>([]);
  const [isOpen, setOpen] = useState(false);
  const [note, setNote] = useState<UnsignedNote>();

  function close() {
    setOpen(false);
    field.current?.focus();
  }

  function pick({ gif }: GifPick) {
    setContent(withGif(content, gif));
    setPicked([...picked, gif]);
    close();
  }

  function post(event: FormEvent) {
    event.preventDefault();
    // From here on it is a note like any other: `window.nostr.signEvent(note)`, and to the relays.
    setNote(noteOf(content, picked));
  }

  return (
    <>
      <div className="composer">
        <form onSubmit={post}>
          <label htmlFor="content">What is going on?</label>
          <textarea
            id="content"
            ref={field}
            required
            value={content}
            onChange={({ target }) => setContent(target.value)}
          />
          <div className="tools">
            <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              GIF
            </button>
            <button type="submit">Post</button>
          </div>
        </form>
        {isOpen && <GifPicker service={SERVICE} autoFocus onPick={pick} onClose={close} />}
      </div>
      <h2>What would be signed</h2>
      <pre aria-live="polite">{note ? JSON.stringify(note, null, 2) : 'Nothing yet'}</pre>
    </>
  );
}
