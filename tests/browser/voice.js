// Stands in for the browser's voice and writes down what it is told to say.
window.spoken = [];
window.SpeechSynthesisUtterance = class {
  constructor(text) {
    this.text = text;
  }
};
Object.defineProperty(window, "speechSynthesis", {
  value: { speak: (words) => window.spoken.push(words.text), cancel() {} },
});
