"""The words of Tower: names, the words of each verb, the meaning of touches, the story."""
