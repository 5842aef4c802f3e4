// Keys, mouse and wheel. Keys go by their place on the keyboard, so that W A S D are where they
// are on every layout; / and ? go by what is printed on them.

const DRAG = 4; // pixels that make a click a drag
const SPEED = 1.6; // windows a second

export class Input {
  constructor(app) {
    this.app = app;
    this.held = new Set();
    this.pointer = 0; // x of the mouse in the tracks
    addEventListener('keydown', (event) => this.keyDown(event));
    addEventListener('keyup', (event) => this.held.delete(event.code));
    addEventListener('blur', () => this.held.clear());
    this.listenTracks();
    this.listenDrag(app.elements.ruler, (event) => this.rulerDrag(event));
    this.listenDrag(app.elements.map, (event) => this.mapDrag(event));
    this.listenDrag(app.elements.bar, (event) => this.barDrag(event));
    app.elements.bar.addEventListener('keydown', (event) => this.barKey(event));
  }

  // ---- keys

  // Whether a key is meant for what has the focus.
  isTaken(event) {
    const {target} = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return true;
    return (
      target.tagName === 'INPUT' ||
      (target.closest?.('dialog') !== null && target.closest !== undefined)
    );
  }

  keyDown(event) {
    const {app} = this;
    if (event.key === 'Escape') return app.escape();
    if (this.isTaken(event)) return;
    const byPrint = {
      '/': () => app.focusSearch(),
      '?': () => app.toggleKeys(),
      n: () => app.step(1),
      N: () => app.step(-1),
      '[': () => app.follow(-1),
      ']': () => app.follow(1),
    }[event.key];
    const move = {KeyW: 1, KeyS: 1, KeyA: 1, KeyD: 1}[event.code];
    const arrow = /^Arrow(Left|Right|Up|Down)$/.exec(event.code);
    if (byPrint) byPrint();
    else if (move) this.press(event);
    else if (event.code === 'KeyF') app.fit();
    else if (event.code === 'KeyR') app.selectAround();
    else if (event.code === 'KeyC') app.foldSelected();
    else if (arrow && this.isTimeline(event.target)) app.arrow(arrow[1]);
    else return;
    event.preventDefault();
  }

  isTimeline(target) {
    return target === document.body || target === this.app.elements.tracks;
  }

  press(event) {
    if (event.repeat) return;
    this.move(event.code, 0.12);
    if (this.held.size === 0) this.last = performance.now();
    this.held.add(event.code);
    requestAnimationFrame((now) => this.glide(now));
  }

  // Goes on as long as a key is held.
  glide(now) {
    if (this.held.size === 0) return;
    const share = Math.min(0.1, Math.max(0, now - this.last) / 1000) * SPEED;
    this.last = now;
    for (const code of this.held) this.move(code, share);
    requestAnimationFrame((next) => this.glide(next));
  }

  move(code, share) {
    const {app} = this;
    if (code === 'KeyW') app.zoom(this.pointer, 1 - share);
    if (code === 'KeyS') app.zoom(this.pointer, 1 / (1 - share));
    if (code === 'KeyA') app.pan(-share);
    if (code === 'KeyD') app.pan(share);
  }

  // ---- mouse

  listenTracks() {
    const {tracks, scroll} = this.app.elements;
    scroll.addEventListener('scroll', () => this.app.redraw());
    scroll.addEventListener('wheel', (event) => this.wheel(event), {passive: false});
    tracks.addEventListener('mousemove', (event) => {
      this.pointer = event.offsetX;
      this.app.hover(event);
    });
    tracks.addEventListener('mouseleave', () => this.app.hover(null));
    tracks.addEventListener('dblclick', (event) => this.app.fitAt(event));
    this.listenDrag(tracks, (event) => this.tracksDrag(event));
  }

  wheel(event) {
    const {app} = this;
    if (event.ctrlKey || event.metaKey) {
      app.zoom(event.offsetX, Math.exp(Math.max(-0.5, Math.min(0.5, event.deltaY / 300))));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      app.pan((event.deltaX || event.deltaY) / app.painter.plotWidth);
    } else {
      return;
    }
    event.preventDefault();
  }

  // start(event) returns what follows the pointer: move(event), and end(event, moved).
  listenDrag(target, start) {
    target.addEventListener('pointerdown', (event) => {
      if (event.button > 1) return;
      const drag = start(event);
      let moved = false;
      const move = (now) => {
        moved ||= Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) >= DRAG;
        if (moved) drag.move?.(now);
      };
      const end = (now) => {
        target.removeEventListener('pointermove', move);
        drag.end?.(now, moved);
      };
      target.setPointerCapture(event.pointerId);
      target.addEventListener('pointermove', move);
      target.addEventListener('lostpointercapture', end, {once: true});
    });
  }

  tracksDrag(event) {
    const {app} = this;
    let x = event.offsetX;
    const pan = event.shiftKey || event.button === 1;
    if (!pan)
      return {
        move: (now) => app.selectRange(event.offsetX, now.offsetX, event.offsetY, now.offsetY),
        end: (now, moved) => (moved ? app.rangeDone() : app.click(event)),
      };
    return {
      move: (now) => {
        app.pan((x - now.offsetX) / app.painter.plotWidth);
        x = now.offsetX;
      },
    };
  }

  rulerDrag(event) {
    const {app} = this;
    return {
      move: (now) => app.selectRange(event.offsetX, now.offsetX, null, null),
      end: (now, moved) => (moved ? app.rangeDone() : app.select(null)),
    };
  }

  mapDrag(event) {
    this.app.centre(event.offsetX);
    return {move: (now) => this.app.centre(now.offsetX)};
  }

  barDrag(event) {
    const {panel} = this.app.elements;
    const height = panel.clientHeight;
    return {move: (now) => this.app.resizePanel(height + event.clientY - now.clientY)};
  }

  barKey(event) {
    const step = {ArrowUp: 20, ArrowDown: -20}[event.code];
    if (step) this.app.resizePanel(this.app.elements.panel.clientHeight + step);
  }
}
